import { graphemes } from './tokenizers/graphemes.js';
import { segments } from './tokenizers/segments.js';

/** A sentence without the white space around it, and where it lies in the text. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** How texts are cut into sentences. */
export interface SentenceOptions {
  /** Longest sentence in UTF-16 units; longer ones are cut after a clause, else at a space, else anywhere. */
  readonly maxLength?: number;
}

// Titles, initials and the like, after which a full stop ends no sentence.
const abbreviation =
  /(?:^|[\s(\p{Pi}"'])(?:\p{L}|Mrs?|Ms|Dr|Prof|St|Jr|Sr|Mt|Gen|Col|Capt|Mme|Mlle|vs|[Ee]\.g|[Ii]\.e|cf|ca|Nr|bzw)\.\s*$/u;
const ordinal = /(?:^|\s)\d{1,2}\.\s*$/u;
const openingAtEnd = /[\p{Ps}\p{Pi}]+\s*$/u;

/**
 * The sentences of a text, by Unicode's rules (UAX 29) with some care: a bracket that opens stays with what it holds, a
 * title or initial ends no sentence, nor does a mark before a small letter ("Go!" she said). Line ends always do.
 *
 * Joined, with the white space between them, they are the text.
 *
 * @param locale a BCP 47 tag, such as `zh`.
 * @throws RangeError for a locale that is no BCP 47 tag, or a maxLength below 1.
 * @example
 * ```ts
 * console.log(splitSentences('Dr. Li said: “Go!” He went. 他走了。', 'en').map(({ text }) => text).join(' | '));
 * // → Dr. Li said: “Go!” | He went. | 他走了。
 * ```
 */
export function splitSentences(text: string, locale: string, options: SentenceOptions = {}): Sentence[] {
  const { maxLength = Number.POSITIVE_INFINITY } = options;
  if (!(maxLength >= 1)) throw new RangeError(`splitSentences: maxLength must be at least 1; got ${maxLength}`);
  const german = /^de\b/i.test(locale);
  const sentences: Sentence[] = [];
  let start = 0;
  for (const end of boundaries(text, locale)) {
    const before = text.slice(start, end);
    const goesOn =
      !/[\r\n\u2028\u2029]\s*$/.test(before.slice(-8)) &&
      end < text.length &&
      (abbreviation.test(before.slice(-8)) ||
        (german && ordinal.test(before.slice(-8))) ||
        /^\p{Ll}/u.test(text.slice(end)));
    if (goesOn) continue;
    for (const part of cutLong(text, start, end, maxLength)) sentences.push(part);
    start = end;
  }
  return sentences.filter((sentence) => sentence.text !== '');
}

/** Where Unicode's rules end a sentence, except that an opening bracket or quotation mark goes with what follows. */
function boundaries(text: string, locale: string): number[] {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' });
  return Array.from(segments(text, segmenter, 4096), ({ index, segment }) => {
    const end = index + segment.length;
    if (end === text.length) return end;
    const opening = openingAtEnd.exec(segment);
    return opening === null ? end : index + opening.index;
  });
}

function* cutLong(text: string, start: number, end: number, maxLength: number): Generator<Sentence> {
  let from = start;
  for (let rest = trimmed(text, from, end); rest.text.length > maxLength; rest = trimmed(text, from, end)) {
    const length = cutPlace(rest.text, maxLength);
    yield trimmed(text, rest.start, rest.start + length);
    from = rest.start + length;
  }
  yield trimmed(text, from, end);
}

/** The best place to cut a text that is too long: as late as allowed, but not in its first third if that can be helped. */
function cutPlace(text: string, maxLength: number): number {
  const head = text.slice(0, maxLength);
  for (const mark of [/[;；:：。！？]\s*/gu, /[,，、،]\s*/gu, /\s+/gu]) {
    const last = Array.from(head.matchAll(mark), (match) => match.index + match[0].length).at(-1);
    if (last !== undefined && last > maxLength / 3) return last;
  }
  const whole = graphemes(text.slice(0, maxLength + 64));
  let length = 0;
  for (const grapheme of whole) {
    if (length > 0 && length + grapheme.length > maxLength) break;
    length += grapheme.length;
  }
  return length;
}

function trimmed(text: string, start: number, end: number): Sentence {
  const raw = text.slice(start, end);
  const from = start + (raw.length - raw.trimStart().length);
  const inner = raw.trim();
  return { text: inner, start: from, end: from + inner.length };
}

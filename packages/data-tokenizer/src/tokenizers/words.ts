import { segments } from './segments.js';

/** A word or a punctuation mark of a text, and where it lies. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * How a text is cut into words:
 * - `words`: Unicode word boundaries (UAX 29), with a dictionary for Chinese, Japanese, Thai and their neighbours;
 * - `moses`: the rules of the Moses tokenizer: hyphens stay in words, contractions and elisions are cut off (`don` `'t`,
 *   `l'` `eau`), initials and common abbreviations keep their full stop; no dictionary, so Chinese stays whole;
 * - `whitespace`: at whitespace only, for text that is already cut into words or phonemes.
 */
export type Segmentation = 'words' | 'moses' | 'whitespace';

/** Cuts texts into words, leaving out whitespace. */
export type WordCutter = (text: string) => Word[];

/**
 * @param locale what language the dictionary should favour; a BCP 47 tag.
 * @throws RangeError for a locale that is no BCP 47 tag, or an unknown segmentation.
 */
export function wordCutter(segmentation: Segmentation, locale = 'und'): WordCutter {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
  switch (segmentation) {
    case 'words':
      return (text) => cutIntoWords(text, segmenter);
    case 'moses':
      return mosesCutter(locale);
    case 'whitespace':
      return (text) => find(text, /\S+/gu);
    default:
      throw new RangeError(
        `WordTokenizer: segmentation must be words, moses or whitespace; got ${JSON.stringify(segmentation)}`,
      );
  }
}

function find(text: string, pattern: RegExp, offset = 0): Word[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const start = offset + match.index;
    return { text: match[0], start, end: start + match[0].length };
  });
}

function cutIntoWords(text: string, segmenter: Intl.Segmenter): Word[] {
  const words: Word[] = [];
  for (const { segment, index } of segments(text, segmenter)) {
    // A space may carry a joiner or a combining mark in its segment; only what is not whitespace is a word.
    if (/\s/u.test(segment)) words.push(...find(segment, /\S+/gu, index));
    else words.push({ text: segment, start: index, end: index + segment.length });
  }
  return words;
}

const abbreviations: Readonly<Record<string, string>> = {
  en: 'Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Col|Capt|Rev|Hon|vs|etc|e\\.g|i\\.e|No|Fig|approx',
  de: 'Dr|Prof|Hr|Fr|Nr|St|Str|bzw|usw|ca|etc|evtl|ggf|vgl|z\\.B|d\\.h|u\\.a',
  fr: 'M|MM|Mme|Mlle|Dr|Prof|St|Ste|etc|cf|p\\.ex|av|apr',
};

/** The rules of Koehn's tokenizer.perl, with the commonest of its abbreviations. */
function mosesCutter(locale: string): WordCutter {
  const language = locale.slice(0, 2).toLowerCase();
  const word = '[\\p{L}\\p{N}\\p{M}]+';
  // A hyphen, or a full stop or comma between digits, stays inside; so does a full stop within an abbreviation (U.S.).
  const inner = `${word}(?:(?:-(?=[\\p{L}\\p{N}])|(?<=\\p{N})[.,](?=\\p{N}))${word})*`;
  const initials = '(?:\\p{L}\\.){2,}|\\p{Lu}\\.(?=\\s+\\p{Lu})';
  const known = `(?<![\\p{L}\\p{N}])(?:${abbreviations[language] ?? abbreviations.en})\\.(?!$)`;
  // French and Italian cut after the apostrophe, all others before it.
  const elides = ['fr', 'it', 'ga', 'ca'].includes(language);
  const apostrophe = elides ? `${word}['’](?=\\p{L})|${inner}` : `(?<=\\p{L})['’]\\p{L}+|${inner}`;
  const pattern = new RegExp(`${known}|${initials}|${apostrophe}|\\.{2,}|\\S`, 'gu');
  return (text) => find(text, pattern);
}

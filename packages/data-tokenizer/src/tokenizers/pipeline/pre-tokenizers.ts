import type { AlignedText } from '../../normalize/aligned-text.js';
import type { JsonNode } from './json-node.js';
import { readPattern } from './pattern.js';

/** A step that cuts a text into smaller ones. `first` says that nothing of the raw text stands before it. */
type PreTokenizerStep = (text: AlignedText, first: boolean) => AlignedText[];

/** How a text is cut into the words that the model sees. */
export interface PreTokenizer {
  readonly cut: PreTokenizerStep;
  /** The words are to be taken by their UTF-8 bytes. */
  readonly byteLevel: boolean;
  /** Finds the same words as `cut` in any text that its matches cover without a gap: the fast way, taken where it can be. */
  readonly pattern?: RegExp | undefined;
}

/** The `pre_tokenizer` of a tokenizer file. @throws TokenizerFileError for one that is not supported, by name. */
export function readPreTokenizer(node: JsonNode): PreTokenizer {
  if (node.isMissing) return { cut: unchanged, byteLevel: false };
  const type = node.get('type').string();
  if (type === 'ByteLevel') return byteLevel(node);
  if (type === 'Split') return split(node);
  if (type !== 'Sequence') return { cut: readStep(node, type), byteLevel: false };
  const parts = node.get('pretokenizers').array();
  const steps = parts.map((part, index) => {
    const step = readPreTokenizer(part);
    if (step.byteLevel && index < parts.length - 1) part.fail('is ByteLevel, which is supported only as the last step');
    return step;
  });
  const cut: PreTokenizerStep = (text, first) =>
    steps.reduce((words, step) => words.flatMap((word, index) => step.cut(word, first && index === 0)), [text]);
  const cutting = steps.filter((step) => step.cut !== unchanged);
  return {
    cut,
    byteLevel: steps.at(-1)?.byteLevel ?? false,
    pattern: cutting.length === 1 ? cutting[0]?.pattern : undefined,
  };
}

/** The words of a text, in order. `first` says that nothing of the raw text stands before it. */
export function cutWords(text: AlignedText, { cut, pattern }: PreTokenizer, first: boolean): string[] {
  return coveringMatches(text.text, pattern) ?? cut(text, first).map((word) => word.text);
}

/** The matches of a pattern in a text, if they cover it. */
export function coveringMatches(text: string, pattern: RegExp | undefined): string[] | undefined {
  const words = pattern && text.match(pattern);
  if (!words) return undefined;
  let covered = 0;
  for (const word of words) covered += word.length;
  return covered === text.length ? words : undefined;
}

const unchanged: PreTokenizerStep = (text) => [text];

function readStep(node: JsonNode, type: string): PreTokenizerStep {
  switch (type) {
    case 'Whitespace':
      return (text) =>
        matches(
          text,
          /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu,
        );
    case 'WhitespaceSplit':
      return (text) => matches(text, /\P{White_Space}+/gu);
    case 'BertPreTokenizer':
      return (text) => matches(text, /[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}\p{White_Space}]+/gu);
    case 'CharDelimiterSplit': {
      const delimiter = node.get('delimiter').string();
      return (text) => divide(text, [...findAll(text.text, delimiter)], 'removed');
    }
    case 'Punctuation':
      return splitter(/[!-/:-@[-`{-~\p{P}]/gu, readBehavior(node.get('behavior'), 'isolated'), false);
    case 'Digits':
      return splitter(/\p{N}/gu, node.get('individual_digits').booleanOr(false) ? 'isolated' : 'contiguous', false);
    case 'Metaspace':
      return metaspace(node);
    default:
      return node.fail(`is the pre-tokenizer ${type}, which is not supported`);
  }
}

// GPT-2's pattern, with white space as Unicode defines it.
const gpt2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

function byteLevel(node: JsonNode): PreTokenizer {
  const addSpace = node.get('add_prefix_space').booleanOr(true);
  const cut: PreTokenizerStep = node.get('use_regex').booleanOr(true) ? (text) => matches(text, gpt2) : unchanged;
  if (!addSpace) return { cut, byteLevel: true, pattern: cut === unchanged ? undefined : gpt2 };
  return { cut: (text, first) => cut(text.text.startsWith(' ') ? text : text.prepend(' '), first), byteLevel: true };
}

function split(node: JsonNode): PreTokenizer {
  const pattern = readPattern(node.get('pattern'));
  const behavior = readBehavior(node.get('behavior'), 'isolated');
  const invert = node.get('invert').booleanOr(false);
  const cut = splitter(pattern, behavior, invert);
  return { cut, byteLevel: false, pattern: behavior === 'isolated' && !invert ? pattern : undefined };
}

function metaspace(node: JsonNode): PreTokenizerStep {
  const replacement = node.get('replacement').stringOr('▁');
  const scheme = node.get('prepend_scheme').stringOr(node.get('add_prefix_space').booleanOr(true) ? 'always' : 'never');
  if (!['always', 'first', 'never'].includes(scheme))
    node.get('prepend_scheme').fail(`must be always, first or never; got ${scheme}`);
  const cut = node.get('split').booleanOr(true);
  return (text, first) => {
    let marked = text.replace(/ /g, replacement);
    const wanted = scheme === 'always' || (scheme === 'first' && first);
    if (wanted && !marked.text.startsWith(replacement)) marked = marked.prepend(replacement);
    return cut ? divide(marked, [...findAll(marked.text, replacement)], 'mergedwithnext') : [marked];
  };
}

type Range = readonly [start: number, end: number];
type Behavior = 'removed' | 'isolated' | 'mergedwithprevious' | 'mergedwithnext' | 'contiguous';

function readBehavior(node: JsonNode, fallback: Behavior): Behavior {
  const name = node.stringOr(fallback);
  const behavior = name.toLowerCase().replaceAll('_', '');
  if (!/^(?:removed|isolated|mergedwith(?:previous|next)|contiguous)$/.test(behavior))
    node.fail(`is the unknown behavior ${name}`);
  return behavior as Behavior;
}

function splitter(pattern: RegExp, behavior: Behavior, invert: boolean): PreTokenizerStep {
  return (text) => {
    const found = Array.from(
      text.text.matchAll(pattern),
      (match): Range => [match.index, match.index + match[0].length],
    );
    return divide(
      text,
      (invert ? between(found, text.text.length) : found).filter(([start, end]) => start < end),
      behavior,
    );
  };
}

function matches(text: AlignedText, pattern: RegExp): AlignedText[] {
  return Array.from(text.text.matchAll(pattern), (match) => text.slice(match.index, match.index + match[0].length));
}

function* findAll(text: string, wanted: string): Generator<Range> {
  if (wanted === '') return;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    yield [at, at + wanted.length];
}

function between(found: readonly Range[], length: number): Range[] {
  const starts = [0, ...found.map(([, end]) => end)];
  const ends = [...found.map(([start]) => start), length];
  return starts.map((start, index): Range => [start, ends[index] as number]);
}

/** Cuts around delimiters, which are dropped, stand alone, or join a neighbour. */
function divide(text: AlignedText, delimiters: readonly Range[], behavior: Behavior): AlignedText[] {
  const parts: { start: number; end: number; delimiter: boolean }[] = [];
  const add = (start: number, end: number, delimiter: boolean): void => {
    const last = parts.at(-1);
    const joins =
      last !== undefined &&
      ((behavior === 'mergedwithprevious' && delimiter && !last.delimiter) ||
        (behavior === 'mergedwithnext' && last.delimiter && !delimiter) ||
        (behavior === 'contiguous' && last.delimiter === delimiter));
    if (joins) {
      last.end = end;
      last.delimiter = delimiter && last.delimiter;
      if (behavior === 'mergedwithprevious') last.delimiter = true;
    } else if (start < end) {
      parts.push({ start, end, delimiter });
    }
  };
  let at = 0;
  for (const [start, end] of delimiters) {
    if (at < start) add(at, start, false);
    add(start, end, true);
    at = end;
  }
  if (at < text.text.length) add(at, text.text.length, false);
  return parts
    .filter((part) => !(behavior === 'removed' && part.delimiter))
    .map((part) => text.slice(part.start, part.end));
}

// How sacreBLEU cuts a line into words before BLEU counts them. Each function takes a line and returns its words.
import { separateMarks, separateStopsAndHyphens } from './western-punctuation.js';
import { splitWords, trim } from './whitespace.js';

/** The tokenizers that BLEU knows, by sacreBLEU's names. */
export type BleuTokenizerName = '13a' | 'intl' | 'zh' | 'char' | 'none';

/** `none`: words are what white space separates. */
const none = splitWords;

/** `char`: every character is a word; white space is none. Characters are code points. */
function char(line: string): string[] {
  return splitWords([...line].join(' '));
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&quot;', '"'],
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
];

/** `13a`: the tokenization of NIST's mteval-v13a, the one that published BLEU scores mean. */
function thirteenA(line: string): string[] {
  let text = line.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ');
  for (const [entity, character] of ENTITIES) text = text.replaceAll(entity, character);
  return splitWords(separateStopsAndHyphens(separateMarks(` ${text} `)));
}

/**
 * `intl`: mteval-v14's international tokenization: symbols stand alone, and so does punctuation unless numbers are on
 * both sides of it.
 */
function intl(line: string): string[] {
  const text = line
    .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
    .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
    .replace(/\p{S}/gu, ' $& ');
  return splitWords(text);
}

// Ideographs, full-width forms, CJK punctuation and what else mteval counts as Chinese. U+2001–U+2A6D (general
// punctuation, arrows, mathematics, boxes) is in it because the published tokenizer writes extension B, U+20000–U+2A6D6,
// with four-digit escapes; scores depend on it, extension B itself is left out.
const CHINESE =
  /[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/gu;

/** `zh`: every Chinese character is a word, the rest is cut as 13a does. */
function zh(line: string): string[] {
  // 13a pads the line and so also splits a full stop from its end; this one does not.
  return splitWords(separateStopsAndHyphens(separateMarks(trim(line).replace(CHINESE, ' $& '))));
}

/** The tokenizer of each name. */
export const bleuTokenizers: Readonly<Record<BleuTokenizerName, (line: string) => string[]>> = {
  '13a': thirteenA,
  intl,
  zh,
  char,
  none,
};

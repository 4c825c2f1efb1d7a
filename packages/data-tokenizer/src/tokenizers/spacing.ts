import type { Word } from './words.js';

/*
 * Words do not say where the spaces were. Mostly they need not: a space stands between two English words, none before a
 * comma, none between two Chinese words. That is the default spacing. Only where a text departs from it is there a mark,
 * on the punctuation if there is some, else as a piece of its own, so that a word is the same piece wherever it stands:
 *
 *   He said "hi".   →   He  said  "￭  hi  ￭"  .
 *
 *   ￭ (U+FFED): no space here, against the default.   ▁ (U+2581): a space here, against the default.
 */
const glue = '￭';
const gap = '▁';

// Scripts written without spaces between words, and full-width punctuation.
const unspaced =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}' +
  '\\p{Script=Myanmar}\\u3000-\\u303F\\u30FC\\uFF01-\\uFF65]';
const unspacedStart = new RegExp(`^${unspaced}`, 'u');
const unspacedEnd = new RegExp(`${unspaced}\\p{M}*$`, 'u');
const opening = /^[\p{Ps}\p{Pi}¿¡]$/u;
const closing = /^[\p{Pe}\p{Pf}.,;:!?%…،؛؟।]$/u;
const wordlike = /[\p{L}\p{N}]/u;
// What the Moses rules cut off: l' and 't.
const elided = /\p{L}['’]$/u;
const contracted = /^['’]\p{L}/u;

/** A piece, and the stretch of text that it stands for. */
export interface SpacedPiece {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/** Text as the marks can carry it: the marks themselves become `■` and `_`. Keeps the length. */
export function escapeMarks(text: string): string {
  return text.replaceAll(glue, '■').replaceAll(gap, '_');
}

/** The pieces of words, with marks where the text departs from the default spacing. */
export function markSpacing(words: readonly Word[]): SpacedPiece[] {
  const pieces: { token: string; start: number; end: number }[] = [];
  let left: Word | undefined;
  for (const right of words) {
    const piece = { token: right.text, start: right.start, end: right.end };
    const mark = left && departure(left, right);
    if (left !== undefined && mark !== undefined) {
      if (!wordlike.test(right.text)) piece.token = mark + piece.token;
      else if (!wordlike.test(left.text)) (pieces.at(-1) as { token: string }).token += mark;
      else pieces.push({ token: mark, start: left.end, end: right.start });
    }
    pieces.push(piece);
    left = right;
  }
  return pieces;
}

function departure(left: Word, right: Word): string | undefined {
  const spaced = left.end < right.start;
  if (spaced === spacedByDefault(left.text, right.text)) return undefined;
  return spaced ? gap : glue;
}

/** The text of pieces: spaced by default, except where there are marks. */
export function joinPieces(tokens: readonly string[]): string {
  let text = '';
  let left = '';
  let mark: string | undefined;
  for (const token of tokens) {
    if (token === glue || token === gap) {
      mark = token;
      continue;
    }
    const right = unmark(token);
    const decisive = right.before ?? mark;
    const spaced = decisive === undefined ? spacedByDefault(left, right.text) : decisive === gap;
    text += spaced && text !== '' ? ` ${right.text}` : right.text;
    left = right.text;
    mark = right.after;
  }
  return text;
}

/** A piece without its marks; a mark that stands alone is kept. */
export function plainPiece(token: string): string {
  return unmark(token).text;
}

function unmark(token: string): { text: string; before: string | undefined; after: string | undefined } {
  let text = token;
  let before: string | undefined;
  let after: string | undefined;
  if (text.length > 1 && (text.startsWith(glue) || text.startsWith(gap))) {
    before = text[0];
    text = text.slice(1);
  }
  if (text.length > 1 && (text.endsWith(glue) || text.endsWith(gap))) {
    after = text.at(-1);
    text = text.slice(0, -1);
  }
  return { text, before, after };
}

function spacedByDefault(left: string, right: string): boolean {
  if (closing.test(right) || opening.test(left)) return false;
  if (elided.test(left) || contracted.test(right)) return false;
  return !(unspacedStart.test(right) || unspacedEnd.test(left));
}

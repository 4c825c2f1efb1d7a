// White space as Python's str.split() and str.strip() see it. sacreBLEU is written in Python, and JavaScript's \s
// differs in ways that change scores: \s lacks NEL (U+0085) and U+001C–U+001F, and has the byte order mark.
const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const runs = new RegExp(`[${SPACE}]+`, 'g');
const leading = new RegExp(`^[${SPACE}]+`);
const trailing = new RegExp(`[${SPACE}]+$`);
const words = new RegExp(`[^${SPACE}]+`, 'g');

/** The maximal runs of non-space characters of `text`; none for an empty or blank text. */
export function splitWords(text: string): string[] {
  return text.match(words) ?? [];
}

/** `text` without any white space. */
export function removeSpace(text: string): string {
  return text.replace(runs, '');
}

/** `text` without white space at its end. */
export function trimEnd(text: string): string {
  return text.replace(trailing, '');
}

/** `text` without white space at either end. */
export function trim(text: string): string {
  return trimEnd(text.replace(leading, ''));
}

/** The text with every lone surrogate replaced by U+FFFD, as UTF-8 would have it. Keeps the length. */
export function toWellFormed(text: string): string {
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text;
}

import { segments } from './segments.js';

let segmenter: Intl.Segmenter | undefined;

/**
 * The grapheme clusters of a text: what a reader calls a character, be it a letter with its accents, a flag, or an emoji
 * joined of several. Clusters do not depend on the locale.
 */
export function graphemes(text: string): string[] {
  // Plain ASCII (without CR, which LF may join) has no clusters of more than one.
  if (/^[\n\t -~]*$/.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(segments(text, segmenter), ({ segment }) => segment);
}

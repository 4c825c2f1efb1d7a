import type { AlignedText } from './aligned-text.js';

/** The four normalization forms of Unicode (UAX 15). */
export type UnicodeForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

// A character with what can combine with it: marks, half-width sound marks, vowels and finals of a Hangul syllable.
const combining = /[\s\S][\p{M}\p{Lm}\u1160-\u11FF]*/gu;

/** A Unicode normalization form, aligned by runs of characters that can act on one another. */
export function toUnicodeForm(text: AlignedText, form: UnicodeForm): AlignedText {
  const whole = text.text.normalize(form);
  if (whole === text.text) return text;
  const byRuns = text.replace(combining, (run) => run.normalize(form));
  // Should runs ever act on each other, the text counts and the alignment is given up.
  return byRuns.text === whole ? byRuns : text.edit([{ start: 0, end: text.text.length, replacement: whole }]);
}

import type { AlignedText } from './aligned-text.js';

/** Lowercases each code point by itself: Σ becomes σ at the end of a word too, whatever the language. */
export function lowercase(text: AlignedText): AlignedText {
  return text.replace(/\p{Changes_When_Lowercased}+/gu, (run) =>
    Array.from(run, (letter) => letter.toLowerCase()).join(''),
  );
}

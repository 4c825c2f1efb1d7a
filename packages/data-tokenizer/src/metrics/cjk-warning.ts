const LETTER = /\p{L}/gu;
const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** From this share of letters on, a text counts as Chinese or Japanese. A name in a German text stays below it. */
const SHARE = 0.1;

/**
 * A warning when texts are written without spaces between words (Chinese, Japanese) but `scorer` takes words from
 * spaces; none otherwise. `remedy` says what to use instead, given the language seen.
 */
export function warnIfUnspaced(
  scorer: string,
  texts: Iterable<string>,
  remedy: (language: 'Chinese' | 'Japanese') => string,
): string[] {
  let [letters, han, kana] = [0, 0, 0];
  for (const text of texts) {
    letters += countMatches(text, LETTER);
    han += countMatches(text, HAN);
    kana += countMatches(text, KANA);
  }
  if (han + kana < SHARE * Math.max(letters, 1)) return [];
  const language = kana > SHARE * (han + kana) ? 'Japanese' : 'Chinese';
  const percent = Math.min(100, Math.round((100 * (han + kana)) / letters));
  return [`${scorer} takes words from spaces, but ${percent} % of the letters are ${language}: ${remedy(language)}`];
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const LETTER = /\p{L}/gu;
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu;
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;

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
  let letters = 0;
  let unspaced = 0;
  let kana = false;
  for (const text of texts) {
    letters += text.match(LETTER)?.length ?? 0;
    unspaced += text.match(UNSPACED)?.length ?? 0;
    kana ||= KANA.test(text);
  }
  if (letters === 0 || unspaced / letters < SHARE) return [];
  const language = kana ? 'Japanese' : 'Chinese';
  const percent = Math.min(100, Math.round((100 * unspaced) / letters));
  return [`${scorer} takes words from spaces, but ${percent} % of the letters are ${language}: ${remedy(language)}`];
}

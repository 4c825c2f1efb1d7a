const role = 'src|source|tgt|trg|target|translation|text|sentence|word|phonemes?|pronunciation|id';
const roles = new RegExp(`^(?:${role})(?:[_ .-]\\w+)?$`, 'i');
const plainRole = new RegExp(`^(?:${role})$`, 'i');

const languages = new Set(
  (
    'en de fr es it pt nl sv da no fi pl cs sk hu ro bg el ru uk tr ar he fa hi bn ta te ur th vi id ms ja ko zh yue ' +
    'eng deu ger fra fre spa ita por nld swe dan nor fin pol ces hun ron rus ukr tur ara heb fas hin ben tam tha vie ' +
    'ind jpn kor zho cmn chi english german french spanish italian portuguese dutch swedish danish finnish polish ' +
    'czech hungarian russian ukrainian turkish arabic hebrew hindi bengali thai vietnamese japanese korean chinese ' +
    'mandarin cantonese'
  ).split(' '),
);

/**
 * Whether a first row is a header rather than a pair: its cells differ, and at least two are names such as `src`,
 * `target_text`, `en`, `zh-Hans` or `Chinese`, all others being bare identifiers too.
 */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  if (new Set(names).size !== names.length) return false;
  if (!names.every((name) => /^[A-Za-z][\w .-]{0,40}$/.test(name))) return false;
  return names.filter((name) => roles.test(name) || isLanguage(name)).length >= 2;
}

/** The two columns of a header that most likely are the pair: plain names before such as `src_prompt`. */
export function likelyPair(cells: readonly string[]): readonly string[] {
  const plain = cells.filter((name) => (plainRole.test(name) && !/^id$/i.test(name)) || isLanguage(name));
  return (plain.length >= 2 ? plain : cells).slice(0, 2);
}

function isLanguage(name: string): boolean {
  return languages.has((name.split(/[-_]/)[0] ?? '').toLowerCase());
}

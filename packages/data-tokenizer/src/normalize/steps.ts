import { undoMojibake } from '../corpus/mojibake.js';
import type { AlignedText } from './aligned-text.js';
import type { ScriptConverter } from './chinese.js';
import { lowercase } from './lowercase.js';
import { toUnicodeForm } from './unicode-form.js';

/*
 * The steps, by the names under which a model's configuration keeps them. A name means the same for ever: a step that
 * should do something else gets a new name.
 */

type Step = (text: AlignedText) => AlignedText;

const plainSteps = {
  /** Canonical composition: e + ◌́ becomes é. */
  nfc: (text) => toUnicodeForm(text, 'NFC'),
  /** Compatibility composition: also ﬁ → fi, Ａ → A, ½ → 1⁄2, ｶﾞ → ガ. */
  nfkc: (text) => toUnicodeForm(text, 'NFKC'),
  /** UTF-8 that was read as Windows-1252 and encoded again: CafÃ© → Café. */
  mojibake: (text) => replaceWhole(text, undoMojibake(text.text)),
  /** Typographic quotation marks and apostrophes to " and '. */
  quotes: (text) => text.replace(/[“”„‟«»]/gu, '"').replace(/[‘’‚‛‹›´`]/gu, "'"),
  /** Full-width letters and digits: Ａ → A, １ → 1. */
  'full-width-letters': (text) => text.replace(/[Ａ-Ｚａ-ｚ０-９]/gu, toAscii),
  /** Full-width and ideographic punctuation: ， → , 。 → . and the ideographic space. */
  'full-width-punctuation': (text) =>
    text
      .replace(/[！-／：-＠［-｀｛-～]/gu, toAscii)
      .replace(/[。、\u3000]/gu, (mark) => ideographic.get(mark) as string),
  /** Drops what cannot be seen: controls (not tab and line ends), zero-width spaces, byte order and direction marks.
   *  The joiners U+200C and U+200D stay: emoji and several scripts need them. */
  invisible: (text) =>
    text.replace(
      /(?![\t\n\r\u200C\u200D])[\p{Cc}\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu,
      '',
    ),
  /** Trims, and makes every run of white space one space. */
  whitespace: (text) => text.replace(/^\s+|\s+$/gu, '').replace(/\s+/gu, ' '),
  /** Lowercases each code point by itself. */
  lowercase,
} satisfies Record<string, Step>;

/** Steps that need a dictionary, which is loaded when it is first wanted. */
export const dictionarySteps = ['simplified', 'traditional'] as const;

/** The name of a step; see `Normalizer` for what each does. */
export type NormalizationStep = keyof typeof plainSteps | (typeof dictionarySteps)[number];

/** All names of steps. */
export const normalizationSteps: readonly NormalizationStep[] = [
  ...(Object.keys(plainSteps) as (keyof typeof plainSteps)[]),
  ...dictionarySteps,
];

/** What a step does. `converters` holds the loaded dictionaries. @throws Error if the step's is not loaded. */
export function stepFunction(name: NormalizationStep, converters: ReadonlyMap<string, ScriptConverter>): Step {
  if (Object.hasOwn(plainSteps, name)) return plainSteps[name as keyof typeof plainSteps];
  const convert = converters.get(name);
  if (convert === undefined)
    throw new Error(`Normalizer: the step ${name} needs a dictionary; use await Normalizer.load([…])`);
  return (text) => replaceWhole(text, convert(text.text));
}

const ideographic = new Map([
  ['。', '.'],
  ['、', ','],
  ['\u3000', ' '],
]);

function toAscii(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - 0xfee0);
}

/** Aligns a text with its rewritten form: unit by unit if the lengths agree, else what is between equal ends as one. */
function replaceWhole(text: AlignedText, rewritten: string): AlignedText {
  const before = text.text;
  if (rewritten === before) return text;
  let start = 0;
  while (start < Math.min(before.length, rewritten.length) && before[start] === rewritten[start]) start++;
  let end = 0;
  const rest = Math.min(before.length, rewritten.length) - start;
  while (end < rest && before.at(-1 - end) === rewritten.at(-1 - end)) end++;
  return text.edit([{ start, end: before.length - end, replacement: rewritten.slice(start, rewritten.length - end) }]);
}

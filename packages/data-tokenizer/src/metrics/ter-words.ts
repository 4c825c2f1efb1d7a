// How TER cuts a line into words: Tercom's normalizer, each step of which is off unless asked for.
import { separateMarks, separateStopsAndHyphens } from './western-punctuation.js';
import { splitWords, trimEnd } from './whitespace.js';

export interface TerWordOptions {
  /** Undo XML entities and separate Western punctuation; off by default. */
  readonly normalized?: boolean;
  /** Remove punctuation; off by default. */
  readonly noPunctuation?: boolean;
  /** With `normalized`, make each ideograph and CJK mark a word; with `noPunctuation`, remove CJK punctuation too. */
  readonly asianSupport?: boolean;
  /** Keep upper and lower case apart; off by default. */
  readonly caseSensitive?: boolean;
}

const WESTERN_PUNCTUATION = /[.,?:;!"()]/g;
const ASIAN_PUNCTUATION =
  /[\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09]/g;

// Ideographs with their radicals, strokes and compatibility forms. Tercom also means to cut runs of kana at their ends,
// but its rules need the line to begin with kana, and a normalized line begins with a space: runs of kana stay whole.
const IDEOGRAPH = /[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f]/g;

/** The words of a line, as Tercom counts them. */
export function terWords(line: string, options: TerWordOptions): string[] {
  const { normalized = false, noPunctuation = false, asianSupport = false, caseSensitive = false } = options;
  let text = trimEnd(line);
  if (!caseSensitive) text = text.toLowerCase();
  if (normalized) {
    text = normalizeWestern(text);
    if (asianSupport) text = text.replace(IDEOGRAPH, ' $& ').replace(ASIAN_PUNCTUATION, ' $& ');
  }
  if (noPunctuation) {
    text = text.replace(WESTERN_PUNCTUATION, '');
    if (asianSupport) text = text.replace(ASIAN_PUNCTUATION, '');
  }
  return splitWords(text);
}

function normalizeWestern(line: string): string {
  const text = line
    .replaceAll('\n-', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return separateStopsAndHyphens(separateMarks(` ${text} `).replaceAll("'s ", " 's "));
}

/** Encodings that corpora come in, with letters so frequent that a paragraph holds several. */
const candidates: readonly { name: string; frequent: RegExp }[] = [
  { name: 'EUC-JP', frequent: /[\u3041-\u3093\u30A1-\u30F6]/gu },
  { name: 'Shift_JIS', frequent: /[\u3041-\u3093\u30A1-\u30F6]/gu },
  { name: 'EUC-KR', frequent: /[이다는을가에의고하도로지한기은를서사시나]/gu },
  { name: 'GB18030', frequent: /[的一是不了人我在有他这中大来上个国们说到]/gu },
  { name: 'Big5', frequent: /[的一是不了人我在有他這中大來上個國們說到]/gu },
  { name: 'windows-1251', frequent: /[оеаинтсрвл]/gu },
  { name: 'windows-1252', frequent: /[éèàçùâêîôûäöüßñáíóú’“”]/gu },
];

/**
 * The encoding that bytes, known not to be UTF-8, most likely are in, or undefined: the one that gives the
 * largest share of its language's frequent letters among all letters beyond ASCII.
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  let best: string | undefined;
  let bestShare = 0.2;
  for (const { name, frequent } of candidates) {
    // A chunk may begin or end inside a character, so a wrong byte counts against the encoding but does not end it.
    const text = new TextDecoder(name).decode(bytes);
    const letters = text.match(/[^\p{ASCII}\p{P}\p{Sm}\p{Sc}]/gu)?.length ?? 0;
    const share = letters === 0 ? 0 : (text.match(frequent)?.length ?? 0) / letters;
    if (share > bestShare) {
      best = name;
      bestShare = share;
    }
  }
  return best;
}

/**
 * One clause on why the bytes of a line are not UTF-8 at `at`, with what can be done about it.
 *
 * @param around more of the same file, to guess its encoding from; undefined for the file's unfinished last line.
 */
export function explainInvalidBytes(line: Uint8Array, at: number, around: Uint8Array | undefined): string {
  if (around === undefined && isCutCharacter(line.subarray(at))) {
    return `the file ends inside a character, so it was cut short; get it whole, or ${policy}`;
  }
  if (isSurrogate(line, at)) return `a lone surrogate, which UTF-8 does not hold; ${policy}`;
  const value = `0x${(line[at] as number).toString(16).toUpperCase().padStart(2, '0')}`;
  return `invalid UTF-8 (${value}); ${hintFor(around ?? line)}`;
}

/** One clause on a NUL in a line. UTF-16 without a byte order mark has one in every other place. */
export function explainNul(line: Uint8Array): string {
  const nuls = [0, 1].map((parity) => line.filter((byte, at) => byte === 0 && at % 2 === parity).length);
  const [even, odd] = nuls as [number, number];
  const most = Math.max(even, odd);
  if (most >= 3 && 4 * most >= line.length && Math.min(even, odd) <= 1) {
    const encoding = odd > even ? 'UTF-16LE' : 'UTF-16BE';
    return `a NUL byte; ${conversion(encoding)}`;
  }
  return `a NUL byte, which text does not hold; ${policy}`;
}

const policy = 'choose the policy "skip" or "replace"';

function hintFor(bytes: Uint8Array): string {
  if (bytes.includes(0)) return 'with NUL bytes near it: this is no text file';
  const encoding = guessEncoding(bytes);
  return encoding === undefined ? `convert the file, or ${policy}` : conversion(encoding);
}

function conversion(encoding: string): string {
  return `it looks like ${encoding}; convert it first: iconv -f ${encoding} -t UTF-8`;
}

function isSurrogate(line: Uint8Array, at: number): boolean {
  return line[at] === 0xed && ((line[at + 1] ?? 0) & 0xe0) === 0xa0;
}

function isCutCharacter(tail: Uint8Array): boolean {
  const lead = tail[0] as number;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  return tail.length < length && tail.subarray(1).every((byte) => (byte & 0xc0) === 0x80);
}

/**
 * Index of the first byte that cannot belong to well-formed UTF-8 (Unicode 15, table 3-7), or -1. A sequence that
 * the end of the input cuts short is reported at its first byte.
 */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const length =
      lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
    if (length === 0 || at + length > bytes.length) return at;
    // The second byte's range excludes overlong forms, surrogates and code points beyond U+10FFFF.
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    const second = bytes[at + 1] as number;
    if (second < low || second > high) return at;
    for (let i = 2; i < length; i++) {
      if (((bytes[at + i] as number) & 0xc0) !== 0x80) return at;
    }
    at += length;
  }
  return -1;
}

/** What Windows-1252 shows for the bytes 0x80–0x9F, where it departs from Latin-1. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

const byteOf = new Map<string, number>(Array.from(windows1252, (character, index) => [character, 0x80 + index]));

// A lead byte of UTF-8 as Latin-1 shows it, then a continuation byte likewise.
const suspicious = new RegExp(`[\\u00C2-\\u00F4][\\u0080-\\u00BF${windows1252}]`);

/** Whether text looks like UTF-8 that was read as Windows-1252 and encoded again ("CafÃ©"). */
export function isMojibake(text: string): boolean {
  return suspicious.test(text) && undoMojibake(text) !== text;
}

/** The text before it was read as Windows-1252 and encoded again; anything else comes back as it is. */
export function undoMojibake(text: string): string {
  if (!suspicious.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const byte = byteOf.get(text[i] as string) ?? unit;
    if (byte > 0xff) return text;
    bytes[i] = byte;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return text;
  }
}

/*
 * Byte-level BPE writes each byte as one printable character (Radford et al. 2019): the printable ones of Latin-1 stand
 * for themselves, the other 68 for U+0100 and on, so that a space is Ġ and a line feed Ċ.
 */

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

let unprintable = 0;

/** The character that stands for each byte. */
export const byteCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  String.fromCharCode(isPrintable(byte) ? byte : 0x100 + unprintable++),
);

const bytesOf = new Map(byteCharacters.map((character, byte) => [character, byte]));

/** The byte that a character stands for, or undefined. */
export function byteOf(character: string): number | undefined {
  return bytesOf.get(character);
}

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text, as their characters. */
export function toByteCharacters(text: string): string {
  let characters = '';
  for (const byte of encoder.encode(text)) characters += byteCharacters[byte];
  return characters;
}

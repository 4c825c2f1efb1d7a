import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMojibake, undoMojibake } from './mojibake.js';

const garble = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));

test('undoes one reading as Windows-1252, for any text beyond ASCII', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('é', 'ç', 'ß', '你', '好', '—', '“', 'a', ' ', '👍', 'Ω'), minLength: 1 }),
      (text) => {
        expect(undoMojibake(garble(text))).toBe(text);
        expect(isMojibake(garble(text))).toBe(/[^\0-\x7F]/.test(text));
      },
    ),
    { seed: 1 },
  );
});

test('leaves text alone that is as it should be', () => {
  for (const text of ['Ã', 'São Paulo', 'Ângela à Ötigheim', 'ÂÃ', 'Ça va', '“Ã”', 'naïve', '你好Ã©']) {
    expect([text, undoMojibake(text)]).toEqual([text, text]);
  }
});

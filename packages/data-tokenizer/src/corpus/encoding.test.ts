import { expect, test } from 'vitest';
import { explainInvalidBytes, explainNul, guessEncoding } from './encoding.js';

test.each([
  ['EUC-JP', 'a4b3a4eca4cfc6fccbdcb8eca4cecab8becfa4c7a4b9a1a3bcadbdf1a4cba4a2a4ebb8c0cdd5a4f2c6c9a4e0a1a3'],
  ['Shift_JIS', '82b182ea82cd93fa967b8cea82cc95b68fcd82c582b781428eab8f9182c982a082e98cbe977482f093c782de8142'],
  ['GB18030', 'd5e2cac7ced2c3c7b5c4d6d0b9fac5f3d3d1a3accbfbd4dad5e2b8f6b4f3d1a7c0efd1a7cfb0d6d0cec4a1a3'],
  ['Big5', 'b36fac4fa7daadccaabaa4a4b0eaaa42a4cda141a54ca662b36fadd3a46abec7b8ccbec7b2dfa4a4a4e5a143'],
  [
    'EUC-KR',
    'c0ccb0cdc0ba20c7d1b1b9beee20b9aec0e5c0d4b4cfb4d92e20b3aab4c220c7d0b1b3bfa1bcad20c7d1b1b9beeeb8a620b9e8bfecb0ed20c0d6b4d92e',
  ],
  [
    'windows-1251',
    'ddf2ee20f0f3f1f1eae8e920f2e5eaf1f22c20e220eaeef2eef0eeec20ede5f220ede8f7e5e3ee20eef1eee1e5ededeee3ee2e',
  ],
  [
    'windows-1252',
    '4c92e96ce87665206120e974e9207472e873207375727072697320706172206c61206c65e76f6e206ff9206c926f6e20676ffb746520e020746f75742e',
  ],
  [undefined, '00ff00ff00ff00ff'],
])('tells %s from a sentence', (name, hex) => {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  expect(guessEncoding(bytes)).toBe(name);
});

test.each([
  ['a lone surrogate in UTF-8', [0x61, 0xed, 0xa0, 0x80], 1, /^a lone surrogate, which UTF-8 does not hold; choose/],
  ['a picture', [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0], 0, /^invalid UTF-8 \(0x89\); .*this is no text file$/],
])('%s is called so', (_, bytes, at, message) => {
  const line = Uint8Array.from(bytes);
  expect(explainInvalidBytes(line, at, line)).toMatch(message);
});

test.each([
  ['UTF-16LE', [0x48, 0, 0x69, 0, 9, 0, 0x60, 0x4f, 0x7d, 0x59]],
  ['UTF-16BE', [0, 0x48, 0, 0x69, 0, 9, 0x4f, 0x60, 0x59, 0x7d]],
])('%s without a mark is told by its NUL bytes', (name, bytes) => {
  expect(explainNul(Uint8Array.from(bytes))).toContain(`it looks like ${name}; convert it first: iconv -f ${name}`);
});

test('a stray NUL byte is just that', () => {
  expect(explainNul(new TextEncoder().encode('Hello\0 world'))).toBe(
    'a NUL byte, which text does not hold; choose the policy "skip" or "replace"',
  );
});

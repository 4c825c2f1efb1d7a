import { expect, test } from 'vitest';
import { removeStress } from './stress.js';

test('vowels lose their digit, and variants that it alone told apart become one', () => {
  const pairs = [
    { source: 'record', target: 'R AH0 K AO1 R D' },
    { source: 'record', target: 'R EH1 K ER0 D' },
    { source: 'export', target: 'EH1 K S P AO2 R T' },
    { source: 'export', target: 'EH2 K S P AO1 R T' },
  ];
  expect(removeStress(pairs)).toEqual([
    { source: 'record', target: 'R AH K AO R D' },
    { source: 'record', target: 'R EH K ER D' },
    { source: 'export', target: 'EH K S P AO R T' },
  ]);
});

test('only phonemes of ARPAbet have a stress to lose', () => {
  const pairs = [{ source: 'x', target: 'MP3 AH3 b1 AAA1 A1' }];
  expect(removeStress(pairs)).toEqual(pairs);
});

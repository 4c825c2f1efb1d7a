import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/random-text.js';
import { segments } from './segments.js';

const whole = (text: string, segmenter: Intl.Segmenter) =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);
const windowed = (text: string, segmenter: Intl.Segmenter, window: number) =>
  Array.from(segments(text, segmenter, window), ({ segment }) => segment);
const longText = fc.array(anyText, { minLength: 5, maxLength: 12 }).map((texts) => texts.join(' '));

test.each(['grapheme', 'word'] as const)('%s: windows find what the whole text has', (granularity) => {
  const segmenter = new Intl.Segmenter('zh', { granularity });
  fc.assert(
    fc.property(longText, (text) => {
      expect(windowed(text, segmenter, 128)).toEqual(whole(text, segmenter));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('windows lose nothing, whatever their size', () => {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  fc.assert(
    fc.property(longText, fc.integer({ min: 33, max: 200 }), (text, window) => {
      let at = 0;
      for (const { segment, index } of segments(text, segmenter, window)) {
        expect(index).toBe(at);
        at += segment.length;
      }
      return at === text.length;
    }),
    { seed: 2, numRuns: 300 },
  );
});

test('words of a long Chinese text are those of its sentences', () => {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  const sentence = '我们明天去北京大学看望老朋友，然后一起去长城。';
  expect(windowed(sentence.repeat(200), segmenter, 512)).toEqual(Array(200).fill(whole(sentence, segmenter)).flat());
});

test('one cluster longer than a window stays one', () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const tower = `e${'\u0301'.repeat(3000)}`;
  expect(windowed(`a${tower}b`, segmenter, 512)).toEqual(['a', tower, 'b']);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitSentences } from './sentences.js';
import { anyText } from './testing/random-text.js';

const texts = (text: string, locale: string, maxLength?: number) =>
  splitSentences(text, locale, maxLength === undefined ? {} : { maxLength }).map((sentence) => sentence.text);

test.each([
  [
    'en',
    'Dr. Smith met Mr. J. R. Jones at 3.5 p.m. He left.',
    ['Dr. Smith met Mr. J. R. Jones at 3.5 p.m.', 'He left.'],
  ],
  ['en', '"Go!" she said. Really?! Yes.', ['"Go!" she said.', 'Really?!', 'Yes.']],
  [
    'zh',
    '他说：“你好。”然后走了。真的吗？！“是的。”我爱你!',
    ['他说：“你好。”', '然后走了。', '真的吗？！', '“是的。”', '我爱你!'],
  ],
  ['ja', 'これは文です。「そうですか。」そうです。', ['これは文です。', '「そうですか。」', 'そうです。']],
  ['de', 'Am 3. Mai war er z. B. da. Gut.', ['Am 3. Mai war er z. B. da.', 'Gut.']],
  ['en', 'line one\nline two\r\n\r\nline three', ['line one', 'line two', 'line three']],
  ['hi', 'नमस्ते। आप कैसे हैं?', ['नमस्ते।', 'आप कैसे हैं?']],
  ['en', '  \n ', []],
])('%s: %s', (locale, text, sentences) => {
  expect(texts(text, locale)).toEqual(sentences);
});

test('a sentence that is too long is cut after a clause, at a space, or anywhere', () => {
  expect(texts('我们先去北京，然后去上海，最后回家。', 'zh', 10)).toEqual([
    '我们先去北京，',
    '然后去上海，',
    '最后回家。',
  ]);
  expect(texts('one two three four', 'en', 9)).toEqual(['one two', 'three', 'four']);
  expect(texts('x'.repeat(25), 'en', 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]);
});

test('nothing but white space is lost, whatever the text', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(undefined, 1, 7, 30), (text, maxLength) => {
      let at = 0;
      let between = '';
      for (const { text: sentence, start, end } of splitSentences(
        text,
        'und',
        maxLength === undefined ? {} : { maxLength },
      )) {
        if (text.slice(start, end) !== sentence) return false;
        between += text.slice(at, start);
        at = end;
      }
      return (between + text.slice(at)).trim() === '';
    }),
    { seed: 6, numRuns: 1000 },
  );
});

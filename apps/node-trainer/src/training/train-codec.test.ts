import { expect, test } from 'vitest';
import { runConfigSchema } from '../config/run-config.js';
import { trainCodec } from './train-codec.js';

const pairs = [
  { source: '欢迎来北京。', target: 'Welcome to Beijing.' },
  { source: '我爱上海，也爱北京。', target: 'I love Shanghai, and Beijing too.' },
];

const train = (text: object, direction = 'zh-en') =>
  trainCodec(pairs, runConfigSchema.parse({ text, data: { direction } }));

test.each([
  ['words and words', {}],
  ['characters and words', { source: { tokenizer: 'character' } }],
  ['characters and the rules of Moses', { source: { tokenizer: 'character' }, target: { tokenizer: 'moses' } }],
  ['shared merges', { share: 'merges', source: { tokenizer: 'bpe', vocabularySize: 300 } }],
  [
    'one vocabulary',
    { share: 'vocabulary', source: { tokenizer: 'bpe', alphabet: 'characters', vocabularySize: 300 } },
  ],
])('%s: text comes back from its ids', async (_, text) => {
  const codec = await train(text);
  for (const { source, target } of pairs) {
    expect(codec.source.decode(codec.source.encode(source).ids)).toBe(source);
    expect(codec.target.decode(codec.target.encode(target).ids)).toBe(target);
  }
});

test('one vocabulary is one, shared merges keep what each side needs', async () => {
  const settings = { source: { tokenizer: 'bpe', vocabularySize: 300 } };
  const one = await train({ ...settings, share: 'vocabulary' });
  expect(one.source.tokenizer).toBe(one.target.tokenizer);
  const merges = await train({ ...settings, share: 'merges' });
  expect(merges.target.encode('北').ids.length).toBeGreaterThan(merges.source.encode('北京').ids.length);
});

test('a side keeps only the shared pieces that its own text gives often enough', async () => {
  const text = (source: number, target: number) => ({
    share: 'merges',
    source: { tokenizer: 'bpe', vocabularySize: 320, sideMinFrequency: source },
    target: { sideMinFrequency: target },
  });
  const [all, few] = [await train(text(1, 1)), await train(text(1, 100))];
  expect(few.source.size).toBe(all.source.size);
  expect(few.target.size).toBeLessThan(all.target.size);
  expect(few.target.decode(few.target.encode(pairs[1]!.target).ids)).toBe(pairs[1]!.target);
  await expect(train({ ...text(1, 2), share: 'nothing' })).rejects.toThrow('sideMinFrequency is for share: merges');
});

test('normalisation and language are kept with the side', async () => {
  const codec = await train({ target: { normalize: ['nfc', 'lowercase'] } });
  expect(codec.target.encode('WELCOME').ids).toEqual(codec.target.encode('welcome').ids);
  expect(codec.settings()).toMatchObject({
    source: { language: 'zh', normalize: ['nfc'] },
    target: { language: 'en', normalize: ['nfc', 'lowercase'] },
  });
});

test('names that are no languages are no languages; a wrong tag in the config is refused', async () => {
  expect((await train({}, 'x_1-y_2')).settings().source.language).toBeNull();
  await expect(train({ source: { language: 'not a tag' } })).rejects.toThrow('BCP 47');
  await expect(train({ source: { tokenizer: 'bpe', vocabularySize: 80 } })).rejects.toThrow('must be at least 260');
});

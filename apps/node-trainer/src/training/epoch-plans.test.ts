import { expect, test } from 'vitest';
import { runConfigSchema } from '../config/run-config.js';
import { encodePart } from './encoded-data.js';
import { EpochPlans } from './epoch-plans.js';
import { trainCodec } from './train-codec.js';

const pairs = Array.from({ length: 30 }, (_, i) => ({
  source: `welcome to Beijing number ${i}`,
  target: `Willkommen in Peking Nummer ${i}`,
}));

async function plans(text: object, more: object = {}) {
  const config = runConfigSchema.parse({ text, ...more });
  const codec = await trainCodec(pairs, config);
  return { codec, plans: new EpochPlans(encodePart(pairs, codec), codec, config) };
}

const rows = (one: { readonly plans: EpochPlans }, epoch: number) =>
  [...one.plans.of(epoch).epoch(epoch)].map(({ source, target }) => [source.join(' '), target.join(' ')]);

const bpe = { tokenizer: 'bpe', vocabularySize: 320 };

test('dropout cuts the same text in other pieces every epoch, by the seed alone', async () => {
  const text = { source: { ...bpe, dropout: 0.2 }, target: bpe };
  const one = await plans(text);
  const sourceTokens = (epoch: number) => one.plans.of(epoch).statistics(epoch).tokens;
  expect(sourceTokens(1)).not.toBe(sourceTokens(0));
  const resumed = await plans(text);
  expect(rows(resumed, 1)).toEqual(rows(one, 1));
  const seeded = await plans(text, { seed: 2 });
  expect(rows(seeded, 1)).not.toEqual(rows(one, 1));
});

test('whatever is passed over, the text is the same; a side without dropout keeps its pieces', async () => {
  const { plans: dropped, codec } = await plans({ source: { ...bpe, dropout: 0.5 }, target: bpe });
  for (const { source, sourceWidth, sourceLengths, target, targetWidth, targetLengths, indices, rows } of dropped
    .of(3)
    .epoch(3)) {
    for (let row = 0; row < rows; row++) {
      const pair = pairs[indices[row]!]!;
      const from = row * sourceWidth;
      expect(codec.source.decode(source.subarray(from, from + sourceLengths[row]!))).toBe(pair.source);
      const at = row * targetWidth;
      expect([...target.subarray(at + 1, at + targetLengths[row]! - 1)]).toEqual([
        ...codec.target.encode(pair.target).ids,
      ]);
    }
  }
});

test('pieces never exceed maxPieces, though dropout makes more of them', async () => {
  const { plans: dropped } = await plans({ source: { ...bpe, dropout: 1 }, target: bpe, maxPieces: 20 });
  for (const { sourceWidth } of dropped.of(0).epoch(0)) expect(sourceWidth).toBeLessThanOrEqual(20);
});

test('dropout on a tokenizer without merges is refused', async () => {
  await expect(plans({ target: { tokenizer: 'word', dropout: 0.1 } })).rejects.toThrow(
    'text.target.dropout is for the tokenizer bpe, which has merges; got word',
  );
});

test('batches by tokens hold no more positions than they may', async () => {
  const { plans: byTokens } = await plans({}, { training: { batch: { unit: 'tokens', size: 40 } } });
  for (const { rows, sourceWidth, targetWidth } of byTokens.of(0).epoch(0))
    expect(rows * Math.max(sourceWidth, targetWidth)).toBeLessThanOrEqual(40);
});

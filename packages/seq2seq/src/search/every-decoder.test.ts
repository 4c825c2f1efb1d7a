// What must hold of search whatever decodes: every kind of decoder and every option that changes its mathematics.
import { tidy } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hypothesis, Seq2Seq, type TranslateOptions, translateBatch, useBackend } from '../index.js';
import { kept } from '../kept.js';
import { batchOf } from '../testing/copy-task.js';
import { variants } from '../testing/variants.js';

beforeAll(async () => {
  await useBackend();
});

const sources = [[4, 5, 6], [7], [], [8, 9, 10, 11, 4, 5], [6, 6], [5, 11, 4]];
const words = [4, 5, 6, 7, 8];

describe.each(variants)('%s', (_, config) => {
  const model = () => loaded;
  let loaded: Seq2Seq;
  beforeAll(() => {
    loaded = Seq2Seq.create(config);
  });
  afterAll(() => loaded.dispose());

  const best = async (options: TranslateOptions, of = sources) =>
    (await translateBatch(model(), of, { maxLength: 8, ...options })).map(([first]) => first!);

  /** Log-probabilities of the tokens, with <eos> where it ended so, under teacher forcing. */
  function recomputed(by: Seq2Seq, source: number[], { tokens, finish }: Pick<Hypothesis, 'tokens' | 'finish'>) {
    const batch = batchOf([[source, tokens]], { source: Math.max(1, source.length) });
    const scores = tidy(() => by.logProbabilities(batch).dataSync<'float32'>().slice());
    const V = by.config.targetVocabulary;
    return [...tokens, ...(finish === 'eos' ? [3] : [])].map((token, t) => scores[t * V + token]!);
  }

  test('scores follow from the tokens, attention from teacher forcing', async () => {
    const found = await translateBatch(model(), sources, { beam: 4, nBest: 3, maxLength: 8, lengthPenalty: 'gnmt' });
    for (const [i, hypotheses] of found.entries()) {
      for (const hypothesis of hypotheses) {
        const { tokens, logProbabilities, endLogProbability, score, finish } = hypothesis;
        const expected = recomputed(model(), sources[i]!, hypothesis);
        const said = [...logProbabilities, ...(finish === 'eos' ? [endLogProbability!] : [])];
        expect(said.length).toBe(expected.length);
        for (const [t, value] of said.entries()) expect(Math.abs(value - expected[t]!)).toBeLessThan(1e-5);
        const penalty = ((5 + expected.length) / 6) ** 0.6;
        expect(Math.abs(score - expected.reduce((a, b) => a + b, 0) / penalty)).toBeLessThan(1e-4);
        const batch = batchOf([[sources[i]!, tokens]], { source: Math.max(1, sources[i]!.length) });
        const rows = kept(() => model().attention(batch)?.dataSync<'float32'>().slice() ?? new Float32Array());
        for (const [t, row] of hypothesis.attention.entries()) {
          for (const [s, weight] of row.entries()) {
            expect(Math.abs(weight - rows[t * sources[i]!.length + s]!)).toBeLessThan(1e-5);
          }
        }
      }
    }
  });

  test.each<[string, TranslateOptions]>([
    ['greedy', {}],
    ['beam', { beam: 3 }],
    ['sampling', { sample: true, seed: 9 }],
  ])('%s: batch-mates, padding and order change nothing', async (_, options) => {
    const together = await best(options);
    const reversed = (await best(options, sources.toReversed())).reverse();
    const alone = (await Promise.all(sources.map((source) => best(options, [source])))).flat();
    for (const other of [reversed, alone]) {
      for (const [i, { tokens, score }] of other.entries()) {
        expect(tokens).toEqual(together[i]!.tokens);
        expect(Math.abs(score - together[i]!.score)).toBeLessThan(1e-5);
      }
    }
  });

  test('a beam of one is greedy', async () => {
    for (const [i, { tokens, finish }] of (await best({ beam: 1 })).entries()) {
      const said: number[] = [];
      while (said.length < 8) {
        const source = sources[i]!;
        const batch = batchOf([[source, said]], { source: Math.max(1, source.length) });
        const row = tidy(() =>
          model()
            .logProbabilities(batch)
            .dataSync()
            .slice(said.length * 12, said.length * 12 + 12),
        );
        row[0] = row[2] = -Infinity;
        const token = row.indexOf(Math.max(...row));
        if (token === 3) break;
        said.push(token);
      }
      expect(tokens).toEqual(said);
      expect(finish).toBe(said.length === 8 ? 'length' : 'eos');
    }
  });

  test('a beam as wide as the space of five words finds what trying everything finds', async () => {
    const { copyMap, ...parts } = config;
    const sizes = {
      sourceVocabulary: 9,
      targetVocabulary: 9,
      ...(copyMap && { copyMap: [0, 1, 2, 3, 8, 7, 6, 5, 4] }),
    };
    const small = Seq2Seq.create({ ...parts, ...sizes, seed: 7 });
    const source = [4, 8, 6];
    const of = (length: number): number[][] =>
      length === 0 ? [[]] : of(length - 1).flatMap((said) => words.map((word) => [...said, word]));
    const scored = (tokens: number[], finish: 'eos' | 'length') => {
      const each = recomputed(small, source, { tokens, finish });
      return { tokens, score: each.reduce((a, b) => a + b, 0) / each.length };
    };
    const all = [
      ...[0, 1].flatMap((length) => of(length).map((said) => scored(said, 'eos'))),
      ...of(2).map((said) => scored(said, 'length')),
    ].sort((a, b) => b.score - a.score);
    const options = { beam: 25, nBest: 10, maxLength: 2, allowUnknown: false, earlyStopping: 'exact' } as const;
    const [found] = await translateBatch(small, [source], options);
    for (const [i, { tokens, score }] of found!.entries()) {
      expect(Math.abs(score - all[i]!.score)).toBeLessThan(1e-5);
      expect(all.slice(0, 11).map((one) => one.tokens)).toContainEqual(tokens);
    }
    small.dispose();
  });
});

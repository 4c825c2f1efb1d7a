import { memory, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Hypothesis, Seq2Seq, type TranslateOptions, translate, translateBatch, useBackend } from '../index.js';
import { batchOf } from '../testing/copy-task.js';

let model: Seq2Seq;
const bahdanau = {
  encoder: { hiddenSize: 10, bidirectional: true },
  decoder: { kind: 'bahdanau', attention: 'additive', embeddingSize: 7 },
} as const;
const transformer = { transformer: { size: 12, encoderLayers: 1, decoderLayers: 2 } } as const;
const create = (seed: number, words = 12, parts: typeof bahdanau | typeof transformer = bahdanau) =>
  Seq2Seq.create({ ...parts, sourceVocabulary: 12, targetVocabulary: words, seed });
beforeAll(async () => {
  await useBackend();
  model = create(1);
});

const sources = [[4, 5, 6], [7], [], [8, 9, 10, 11, 4, 5], [6, 6], [5, 11, 4]];
const best = async (options: TranslateOptions, of: number[][] = sources, by: Seq2Seq | Seq2Seq[] = model) =>
  (await translateBatch(by, of, { maxLength: 8, ...options })).map(([first]) => first!);
const tokens = (found: Hypothesis[]) => found.map((hypothesis) => hypothesis.tokens);

/** Log-probabilities of tokens (with <eos> at the end where it ended so), recomputed by teacher forcing. */
function recomputed(source: number[], { tokens, finish }: Hypothesis, by = model): number[] {
  const batch = batchOf([[source, tokens]], { source: Math.max(1, source.length) });
  const vocabulary = by.config.targetVocabulary;
  const scores = tidy(() => by.logProbabilities(batch).dataSync<'float32'>().slice());
  const said = finish === 'eos' ? [...tokens, 3] : tokens;
  return said.map((token, t) => scores[t * vocabulary + token]!);
}
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

describe('every search', () => {
  test.each<[string, TranslateOptions]>([
    ['greedy', {}],
    ['beam', { beam: 4, nBest: 3 }],
    ['sampling', { sample: true, seed: 5, nBest: 2 }],
  ])('%s: scores follow from the tokens', async (_, options) => {
    const found = await translateBatch(model, sources, { maxLength: 8, ...options });
    for (const [i, hypotheses] of found.entries()) {
      expect(hypotheses.length).toBe(options.nBest ?? 1);
      for (const hypothesis of hypotheses) {
        const expected = recomputed(sources[i]!, hypothesis);
        const said = [
          ...hypothesis.logProbabilities,
          ...(hypothesis.finish === 'eos' ? [hypothesis.endLogProbability!] : []),
        ];
        for (const [t, value] of said.entries()) expect(value).toBeCloseTo(expected[t]!, 5);
        expect(said.length).toBe(expected.length);
        expect(hypothesis.score).toBeCloseTo(sum(expected) / expected.length, 5);
        for (const row of hypothesis.attention) expect(row.length).toBe(sources[i]!.length);
      }
    }
  });

  test("log-probabilities are the model's own where repetition is penalised", async () => {
    for (const options of [{ beam: 3 }, { sample: true, seed: 5 }]) {
      const found = await best({ ...options, repetitionPenalty: 1.05, minLength: 8 });
      expect(found.some((hypothesis) => new Set(hypothesis.tokens).size < hypothesis.tokens.length)).toBe(true);
      for (const [i, hypothesis] of found.entries()) {
        const expected = recomputed(sources[i]!, hypothesis);
        for (const [t, value] of hypothesis.logProbabilities.entries()) expect(value).toBeCloseTo(expected[t]!, 5);
      }
    }
  });

  test('scores follow the length penalty that is asked for', async () => {
    for (const [lengthPenalty, divisor] of [
      ['none', () => 1],
      ['average', (n: number) => n ** 0.7],
      ['gnmt', (n: number) => ((5 + n) / 6) ** 0.7],
    ] as const) {
      const alpha = lengthPenalty === 'none' ? {} : { lengthAlpha: 0.7 };
      const [hypothesis] = await best({ beam: 3, lengthPenalty, ...alpha });
      const parts = recomputed(sources[0]!, hypothesis!);
      expect(hypothesis!.score).toBeCloseTo(sum(parts) / divisor(parts.length), 5);
    }
  });

  test('the coverage penalty adds β Σ log min(Σ a, 1)', async () => {
    const plain = await best({ beam: 1 });
    const covered = await best({ beam: 1, coveragePenalty: 0.3 });
    for (const [i, { attention, score }] of covered.entries()) {
      const mass = sources[i]!.map((_, s) => Math.min(1, sum(attention.map((row) => row[s]!))));
      expect(score).toBeCloseTo(plain[i]!.score + 0.3 * sum(mass.map(Math.log)), 5);
    }
  });

  test.each<[string, TranslateOptions]>([
    ['greedy', {}],
    ['beam', { beam: 3, lengthPenalty: 'gnmt', coveragePenalty: 0.1 }],
    ['sampling', { sample: true, seed: 9 }],
  ])('%s: batch-mates, padding and order change nothing', async (_, options) => {
    const together = await best(options);
    const reversed = (await best(options, sources.toReversed())).reverse();
    const alone = (await Promise.all(sources.map((source) => best(options, [source])))).flat();
    const small = await best({ ...options, batchSize: 2 });
    for (const other of [reversed, alone, small]) {
      expect(tokens(other)).toEqual(tokens(together));
      for (const [i, { score }] of other.entries()) expect(score).toBeCloseTo(together[i]!.score, 5);
    }
  });

  test('nothing is left behind after 200 translations', async () => {
    await best({ beam: 3 });
    const before = memory().numTensors;
    for (let i = 0; i < 34; i++) await best(i % 2 === 0 ? {} : { beam: 3 });
    for await (const _ of translate(model, sources[0]!, { maxLength: 5, beam: 2 }));
    for await (const _ of translate(model, sources[0]!, { maxLength: 5 })) break;
    await expect(best({ prefix: [99] })).rejects.toThrow('prefix ids must be in [0, 12); got 99');
    await expect(best({}, [[4, 99]])).rejects.toThrow('source ids must be in [0, 12); got 99 in row 0');
    expect(memory().numTensors).toBe(before);
  });
});

describe('beam search', () => {
  test('a beam of one is greedy', async () => {
    const greedy = sources.map((source) => {
      const said: number[] = [];
      while (said.length < 8) {
        const scores = model.logProbabilities(batchOf([[source, said]], { source: Math.max(1, source.length) }));
        const row = [...scores.dataSync().slice(said.length * 12, said.length * 12 + 12)];
        scores.dispose();
        row[0] = row[2] = -Infinity;
        const token = row.indexOf(Math.max(...row));
        if (token === 3) break;
        said.push(token);
      }
      return said;
    });
    expect(tokens(await best({ beam: 1 }))).toEqual(greedy);
  });

  test.each([
    ['bahdanau', bahdanau],
    ['transformer', transformer],
  ])('%s: a beam as wide as the space finds what trying everything finds', async (_, parts) => {
    const small = create(7, 9, parts); // five words, <unk> forbidden
    const source = [4, 9, 6];
    const words = [4, 5, 6, 7, 8];
    const spaces = (length: number): number[][] =>
      length === 0 ? [[]] : spaces(length - 1).flatMap((said) => words.map((word) => [...said, word]));
    const complete = (said: number[], finish: 'eos' | 'length') => {
      const parts = recomputed(source, { tokens: said, finish } as Hypothesis, small);
      return { tokens: said, score: sum(parts) / parts.length };
    };
    const all = [
      ...[0, 1, 2].flatMap((length) => spaces(length).map((said) => complete(said, 'eos'))),
      ...spaces(3).map((said) => complete(said, 'length')),
    ].sort((a, b) => b.score - a.score);
    for (const earlyStopping of ['count', 'exact'] as const) {
      const options = { beam: 125, nBest: 20, maxLength: 3, allowUnknown: false, earlyStopping };
      const [found] = await translateBatch(small, [source], options);
      expect(found!.map(({ tokens: said }) => said)).toEqual(all.slice(0, 20).map(({ tokens: said }) => said));
      for (const [i, { score }] of found!.entries()) expect(score).toBeCloseTo(all[i]!.score, 5);
    }
  });

  test('a wider beam never finds less with exact stopping and no length penalty, over many sentences', async () => {
    const options = { lengthPenalty: 'none', earlyStopping: 'exact', maxLength: 6 } as const;
    const narrow = await best({ ...options, beam: 2 });
    const wide = await best({ ...options, beam: 400 });
    for (const [i, { score }] of wide.entries()) expect(score).toBeGreaterThanOrEqual(narrow[i]!.score - 1e-6);
  });

  test('counting stops earlier than exact stopping, which never finds less', async () => {
    const options = { beam: 2, maxLength: 12 };
    const counted = await best({ ...options, earlyStopping: 'count' });
    const exact = await best({ ...options, earlyStopping: 'exact' });
    for (const [i, { score }] of exact.entries()) expect(score).toBeGreaterThanOrEqual(counted[i]!.score - 1e-6);
    expect(exact.map(({ score }) => score)).not.toEqual(counted.map(({ score }) => score));
  });

  test('the n best come in order, each different', async () => {
    for (const hypotheses of await translateBatch(model, sources, { beam: 6, nBest: 6, maxLength: 5 })) {
      const scores = hypotheses.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(new Set(hypotheses.map(({ tokens: said }) => said.join())).size).toBe(6);
    }
  });
});

describe('every option has an effect', () => {
  test('lengths, prefix and repeats', async () => {
    const [free] = await best({});
    expect((await best({ minLength: 6 })).every(({ tokens: said }) => said.length >= 6)).toBe(true);
    expect((await best({ maxLength: 2 })).every(({ tokens: said }) => said.length <= 2)).toBe(true);
    expect((await best({ maxLength: 2 }))[0]!.finish).toBe('length');
    expect((await best({ prefix: [9, 9] }))[0]!.tokens.slice(0, 2)).toEqual([9, 9]);
    for (const { tokens: said } of await best({ noRepeatNgram: 1, minLength: 5 })) {
      expect(new Set(said).size).toBe(said.length);
    }
    const [penalised] = await best({ repetitionPenalty: 5, minLength: 8 });
    expect(new Set(penalised!.tokens).size).toBeGreaterThan(new Set(free!.tokens).size);
  });

  test('a coverage penalty without attention is refused', async () => {
    const plain = Seq2Seq.create({ decoder: { kind: 'plain' }, sourceVocabulary: 12, targetVocabulary: 12 });
    await expect(best({ coveragePenalty: 0.2 }, sources, plain)).rejects.toThrow(
      'translate: coveragePenalty needs a model with attention; got 0.2 with decoder.kind plain',
    );
    plain.dispose();
  });

  test('temperature, top k, top p and seed', async () => {
    const sampled = async (options: TranslateOptions) => tokens(await best({ sample: true, ...options }));
    const greedy = tokens(await best({}));
    expect(await sampled({ topK: 1 })).toEqual(greedy);
    expect(await sampled({ topP: 1e-6 })).toEqual(greedy);
    expect(await sampled({ temperature: 1e-4 })).toEqual(greedy);
    expect(await sampled({ seed: 1 })).toEqual(await sampled({ seed: 1 }));
    expect(await sampled({ seed: 1 })).not.toEqual(await sampled({ seed: 2 }));
  });
});

describe('streaming', () => {
  test.each([{ beam: 1 }, { beam: 4 }])(
    '%j: the tokens that come are those of the best hypothesis',
    async (options) => {
      for (const source of sources) {
        const [expected] = await best(options, [source]);
        const stream = translate(model, source, { maxLength: 8, ...options });
        const came: number[] = [];
        for (;;) {
          const { value, done } = await stream.next();
          if (done) {
            expect(value).toEqual([expected]);
            break;
          }
          expect(value.position).toBe(expected!.positions[came.length]);
          expect(value.attention).toEqual(expected!.attention[came.length]);
          came.push(value.token);
        }
        expect(came).toEqual(expected!.tokens);
      }
    },
  );

  test('the n best come at the end, as a batch gives them', async () => {
    const options = { beam: 4, nBest: 3, maxLength: 8 };
    const stream = translate(model, sources[0]!, options);
    let last = await stream.next();
    while (!last.done) last = await stream.next();
    expect(last.value).toHaveLength(3);
    expect(last.value).toEqual((await translateBatch(model, [sources[0]!], options))[0]);
  });

  test('greedy search tells each token before the next is computed', async () => {
    const controller = new AbortController();
    const stream = translate(model, sources[0]!, { minLength: 8, maxLength: 8, signal: controller.signal });
    await stream.next();
    await stream.next();
    controller.abort();
    const { value, done } = await stream.next();
    expect(done).toBe(true);
    expect(value).toMatchObject([{ finish: 'aborted', tokens: { length: 2 } }]);
  });

  test('a timer ends a long translation, of a batch and token by token', async () => {
    const options = { minLength: 20_000, maxLength: 20_000 };
    const afterMoment = () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 40);
      return controller.signal;
    };
    const [found] = await best({ ...options, signal: afterMoment() }, [sources[0]!]);
    const stream = translate(model, sources[0]!, { ...options, signal: afterMoment() });
    let last = await stream.next();
    while (!last.done) last = await stream.next();
    for (const { finish, tokens: said } of [found!, last.value[0]!]) {
      expect(finish).toBe('aborted');
      expect(said.length).toBeLessThan(20_000);
    }
  });

  test('an aborted batch gives what there is', async () => {
    const found = await best({ signal: AbortSignal.abort(), beam: 2 });
    expect(found.map(({ finish, tokens: said }) => [finish, said.length])).toEqual(sources.map(() => ['aborted', 0]));
  });
});

describe('ensembles', () => {
  test('a model beside itself changes nothing', async () => {
    expect(tokens(await best({ beam: 2 }, sources, [model, model]))).toEqual(tokens(await best({ beam: 2 })));
  });

  test('probabilities are averaged', async () => {
    const other = create(2);
    const [found] = await best({}, [sources[0]!], [model, other]);
    const [a, b] = [model, other].map((member) => recomputed(sources[0]!, found!, member));
    const said = [...found!.logProbabilities, ...(found!.endLogProbability === null ? [] : [found!.endLogProbability])];
    for (const [t, value] of said.entries()) {
      expect(value).toBeCloseTo(Math.log((Math.exp(a![t]!) + Math.exp(b![t]!)) / 2), 5);
    }
  });

  test('models of every kind are averaged together, and those that attend tell where', async () => {
    const plain = Seq2Seq.create({ decoder: { kind: 'plain' }, sourceVocabulary: 12, targetVocabulary: 12, seed: 4 });
    const members = [model, create(3, 12, transformer), plain];
    const [found] = await best({ beam: 3 }, [sources[0]!], members);
    const each = members.map((member) => recomputed(sources[0]!, found!, member));
    for (const [t, value] of found!.logProbabilities.entries()) {
      expect(value).toBeCloseTo(Math.log(sum(each.map((said) => Math.exp(said[t]!))) / 3), 5);
    }
    for (const row of found!.attention) expect(sum([...row])).toBeCloseTo(1, 5);
    plain.dispose();
  });

  test('models of other vocabularies are refused', async () => {
    await expect(best({}, sources, [model, create(1, 13)])).rejects.toThrow(
      "translate: the models' targetVocabulary must agree; got 12 and 13",
    );
  });
});

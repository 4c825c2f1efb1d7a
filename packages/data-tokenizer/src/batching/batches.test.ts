import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Batch, type EncodedPair, makeBatch } from './batch.js';
import { type BatchOptions, type BatchPosition, batches } from './batches.js';
import { seededRandom } from './random.js';
import { streamBatches } from './stream-batches.js';

function pairsOf(count: number, seed = 1): EncodedPair[] {
  const random = seededRandom(seed);
  const row = (length: number) => Array.from({ length }, () => 4 + random.below(50));
  return Array.from({ length: count }, () => {
    const length = random.below(30);
    return { source: row(length), target: row(Math.max(0, length + random.below(7) - 3)) };
  });
}

const pairs = pairsOf(500);

/** A batch's rows without padding, by the length arrays. */
function rowsOf(batch: Batch) {
  return Array.from(batch.indices, (index, row) => ({
    index,
    source: [
      ...batch.source.subarray(row * batch.sourceWidth, row * batch.sourceWidth + (batch.sourceLengths[row] as number)),
    ],
    target: [
      ...batch.target.subarray(row * batch.targetWidth, row * batch.targetWidth + (batch.targetLengths[row] as number)),
    ],
  }));
}

describe('a batch', () => {
  test('holds the pieces row by row, padded with 0, the target between <bos> and <eos>', () => {
    const batch = makeBatch(
      [
        { source: [5, 6, 7], target: [8] },
        { source: [], target: [9, 9] },
      ],
      [1, 0],
    );
    expect(batch).toEqual({
      rows: 2,
      source: Int32Array.of(0, 0, 0, 5, 6, 7),
      sourceWidth: 3,
      sourceLengths: Int32Array.of(0, 3),
      target: Int32Array.of(2, 9, 9, 3, 2, 8, 3, 0),
      targetWidth: 4,
      targetLengths: Int32Array.of(4, 3),
      indices: Int32Array.of(1, 0),
    });
  });

  test('has <bos> and <eos> around the source if asked', () => {
    const batch = makeBatch(
      [
        { source: [5], target: [] },
        { source: [6, 7], target: [] },
      ],
      [0, 1],
      { sourceBos: true, sourceEos: true },
    );
    expect(batch.source).toEqual(Int32Array.of(2, 5, 3, 0, 2, 6, 7, 3));
    expect(batch.sourceLengths).toEqual(Int32Array.of(3, 4));
  });
});

describe.each<[string, BatchOptions]>([
  ['by sentences', { sentences: 16, seed: 1 }],
  ['by tokens', { tokens: 300, seed: 1 }],
  ['without buckets', { sentences: 16, seed: 1, pool: 0 }],
  ['in small pools', { tokens: 300, seed: 1, pool: 50 }],
  ['with marks around the source', { tokens: 300, seed: 1, sourceBos: true, sourceEos: true }],
  ['in the data’s order', { sentences: 16, pool: 0 }],
])('an epoch %s', (_, options) => {
  const plan = batches(pairs, options);

  test('has every pair once, as it was', () => {
    const rows = [...plan.epoch(0)].flatMap(rowsOf).sort((a, b) => a.index - b.index);
    expect(rows.map(({ index }) => index)).toEqual([...pairs.keys()]);
    const around = options.sourceEos ? ([2, 3] as const) : undefined;
    rows.forEach(({ source, target }, index) => {
      const pair = pairs[index] as EncodedPair;
      expect(target).toEqual([2, ...Array.from(pair.target), 3]);
      expect(source).toEqual(around ? [around[0], ...Array.from(pair.source), around[1]] : Array.from(pair.source));
    });
  });

  test('keeps its batches within the limit', () => {
    for (const batch of plan.epoch(0)) {
      if (options.sentences !== undefined) expect(batch.rows).toBeLessThanOrEqual(options.sentences);
      else if (batch.rows > 1)
        expect(batch.rows * Math.max(batch.sourceWidth, batch.targetWidth)).toBeLessThanOrEqual(
          options.tokens as number,
        );
    }
  });

  test('is the same again, and another the next time', () => {
    expect(batches(pairs, options).indices(0)).toEqual(plan.indices(0));
    if (options.seed === undefined) expect(plan.indices(1)).toEqual(plan.indices(0));
    else expect(plan.indices(1)).not.toEqual(plan.indices(0));
  });

  test('resumes anywhere with the very batches that would have come', () => {
    const walk = (from: BatchPosition) =>
      Array.from(batches(pairs, options).from(from, 2), ({ batch, next }) => ({
        next,
        text: [batch.indices, batch.source, batch.target].join(';'),
      }));
    const all = walk({ epoch: 0, batch: 0 });
    expect(all.length).toBe(plan.count(0) + plan.count(1));
    for (const at of [0, 5, plan.count(0) - 2, plan.count(0) - 1, plan.count(0) + 3]) {
      expect(walk((all[at] as (typeof all)[number]).next)).toEqual(all.slice(at + 1));
    }
  });

  test('counts its padding as it is', () => {
    let tokens = 0;
    let positions = 0;
    for (const batch of plan.epoch(2)) {
      tokens += [...batch.sourceLengths, ...batch.targetLengths].reduce((sum, length) => sum + length, 0);
      positions += batch.source.length + batch.target.length;
    }
    const waste = (positions - tokens) / positions;
    expect(plan.statistics(2)).toEqual({ batches: plan.count(2), tokens, padding: positions - tokens, waste });
  });
});

test('buckets waste far less padding than none', () => {
  const many = pairsOf(5000);
  const waste = (pool?: number) =>
    batches(many, { sentences: 32, seed: 1, ...(pool !== undefined && { pool }) }).statistics(0).waste;
  expect(waste(0)).toBeGreaterThan(0.4);
  expect(waste()).toBeLessThan(0.07);
});

test('a pair that is longer than the limit is a batch of its own', () => {
  const long = [
    { source: [4], target: [4] },
    { source: new Array(50).fill(4), target: [4] },
    { source: [4], target: [4] },
  ];
  expect(batches(long, { tokens: 10, pool: 0 }).indices(0)).toEqual(
    [[0], [1], [2]].map((indices) => Int32Array.from(indices)),
  );
});

test('no data, one pair', () => {
  expect([...batches([], { sentences: 4, seed: 1 }).epoch(0)]).toEqual([]);
  expect(batches([], { sentences: 4 }).statistics(0)).toEqual({ batches: 0, tokens: 0, padding: 0, waste: 0 });
  expect([...batches([], { sentences: 4 }).from({ epoch: 0, batch: 0 }, 5)]).toEqual([]);
  expect([...batches(pairsOf(1), { tokens: 1, seed: 1 }).epoch(0)].length).toBe(1);
});

test('options that say nothing, or two things, are refused', () => {
  expect(() => batches(pairs, {})).toThrow('batches: give sentences or tokens, one of them; got neither');
  expect(() => batches(pairs, { sentences: 1, tokens: 1 })).toThrow(
    'batches: give sentences or tokens, one of them; got both',
  );
  expect(() => batches(pairs, { sentences: 0 })).toThrow(
    'batches: sentences must be a whole number of at least 1; got 0',
  );
  expect(() => batches(pairs, { tokens: 9, pool: -1 })).toThrow('batches: pool must be 0 or more; got -1');
});

test('a stream gives every pair once, pool by pool, in another order every epoch', async () => {
  async function* stream() {
    yield* pairs;
  }
  const epoch = async (number: number) => {
    const rows: ReturnType<typeof rowsOf> = [];
    for await (const batch of streamBatches(stream(), { sentences: 8, pool: 64, seed: 1 }, number))
      rows.push(...rowsOf(batch));
    return rows;
  };
  const [first, again, next] = [await epoch(0), await epoch(0), await epoch(1)];
  expect(again).toEqual(first);
  expect(next).not.toEqual(first);
  expect(first.map(({ index }) => Math.floor(index / 64))).toEqual([...pairs.keys()].map((at) => Math.floor(at / 64)));
  for (const { index, source } of first) expect(source).toEqual(Array.from((pairs[index] as EncodedPair).source));
  expect(new Set(next.map(({ index }) => index)).size).toBe(pairs.length);
});

test('near seeds and epochs give unrelated random numbers', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(1000), (seed, stream) => {
      const draw = (random: { next(): number }) => [random.next(), random.next()].join();
      const draws = [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ].map(([a = 0, b = 0]) => draw(seededRandom(seed + a, stream + b)));
      return new Set(draws).size === 4;
    }),
    { seed: 1 },
  );
});

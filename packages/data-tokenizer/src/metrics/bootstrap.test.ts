import { describe, expect, it } from 'vitest';
import { bleuMetric } from './bleu.js';
import { bootstrapConfidence, pairedBootstrap } from './bootstrap.js';
import { exactMatchMetric } from './exact-match.js';

const references = Array.from({ length: 60 }, (_, line) => `line ${line} of the text stands here at last`);
const good = references.map((text, line) => (line % 10 === 0 ? text.replace('stands', 'sits') : text));
const bad = references.map((text, line) => (line % 2 === 0 ? text.replace('stands here', 'here sits') : text));

describe('pairedBootstrap', () => {
  it('finds a large difference significant and none between equal systems', () => {
    const result = pairedBootstrap(bleuMetric(), good, bad, references, { samples: 200 });
    expect(result.pValue).toBeLessThan(0.01);
    expect(result.difference).toBeCloseTo(result.system.score - result.baseline.score, 10);
    expect(result.difference).toBeGreaterThan(0);
    expect(pairedBootstrap(bleuMetric(), good, good, references, { samples: 200 })).toMatchObject({
      difference: 0,
      pValue: 1,
    });
  });

  it('draws the same test sets from the same seed, others from another', () => {
    const run = (seed: number) => pairedBootstrap(bleuMetric(), good, bad, references, { samples: 50, seed });
    expect(run(7)).toEqual(run(7));
    expect(run(8).system.mean).not.toBe(run(7).system.mean);
  });

  it('names both counts when the systems differ in length', () => {
    expect(() => pairedBootstrap(bleuMetric(), good, bad.slice(1), references)).toThrow(
      'pairedBootstrap: both systems must have equally many sentences; got 60 and 59',
    );
  });
});

describe('bootstrapConfidence', () => {
  it('agrees with the binomial spread of a share', () => {
    const result = bootstrapConfidence(exactMatchMetric(), bad, references, { samples: 4000, seed: 3 });
    expect(result.score).toBe(50);
    expect(result.mean).toBeCloseTo(50, 0);
    // 1.96 · sqrt(0.25 / 60) = 12.65 %
    expect(Math.abs(result.margin - 12.65)).toBeLessThan(1);
    expect(result.signature).toMatch(/^nrefs:1\|bs:4000\|seed:3\|/);
  });

  it('refuses samples and seeds that are no integers', () => {
    expect(() => bootstrapConfidence(bleuMetric(), good, references, { samples: 0 })).toThrow(
      'samples must be a positive integer; got 0',
    );
    expect(() => bootstrapConfidence(bleuMetric(), good, references, { seed: 0.5 })).toThrow(
      'seed must be an integer; got 0.5',
    );
  });
});

import { Random } from '@seqloom/tensor-ops';
import { expect, test } from 'vitest';
import { drawToken } from './sampling.js';

const probabilities = [0.05, 0.4, 0, 0.25, 0.2, 0.1];
const row = () => Float32Array.from(probabilities, Math.log);
const DRAWS = 20_000;

/** How often each token is drawn. */
function shares(options: Parameters<typeof drawToken>[1], seed = 1): number[] {
  const random = new Random(seed);
  const counts = probabilities.map(() => 0);
  for (let i = 0; i < DRAWS; i++) counts[drawToken(row(), options, random)]!++;
  return counts.map((count) => count / DRAWS);
}

const scaled = (weights: number[]) => weights.map((weight) => weight / weights.reduce((a, b) => a + b));

test.each<[string, Parameters<typeof drawToken>[1], number[]]>([
  ['as probable as they are', {}, probabilities],
  ['temperature 0.5: p²', { temperature: 0.5 }, scaled(probabilities.map((p) => p ** 2))],
  ['temperature 2: √p', { temperature: 2 }, scaled(probabilities.map(Math.sqrt))],
  ['the two most probable', { topK: 2 }, scaled([0, 0.4, 0, 0.25, 0, 0])],
  ['the fewest that reach 0.6', { topP: 0.6 }, scaled([0, 0.4, 0, 0.25, 0, 0])],
  ['the fewest that reach 0.7', { topP: 0.7 }, scaled([0, 0.4, 0, 0.25, 0.2, 0])],
  ['the share of what is left by the top k', { topK: 3, topP: 0.7 }, scaled([0, 0.4, 0, 0.25, 0, 0])],
])('tokens come %s', (_, options, expected) => {
  for (const [token, share] of shares(options).entries()) {
    if (expected[token] === 0) expect(share).toBe(0);
    else expect(Math.abs(share - expected[token]!)).toBeLessThan(0.015); // over four standard deviations
  }
});

test('the seed decides the draws', () => {
  expect(shares({}, 5)).toEqual(shares({}, 5));
  expect(shares({}, 5)).not.toEqual(shares({}, 6));
});

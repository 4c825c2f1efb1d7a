// A sample of `pnpm test:combinations`, in which every cell, direction, decoder and score occurs.
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../index.js';
import { cells, combinations, decoders, directions, learnToCopy, NEEDED, scores } from './combinations.js';

const SAMPLE = [
  'rnn, both ways, plain',
  'gru, one way, concat, dot',
  'gru, both ways, luong, general',
  'lstm, one way, luong with input feeding, concat',
  'gru, both ways, bahdanau, additive',
  'gru, one way, bahdanau, multi-head',
  'lstm, both ways, qkv, scaled-dot',
  'rnn, both ways, qkv, context alone, scaled-dot',
  'transformer, pre-norm, sinusoidal positions',
];

beforeAll(async () => {
  await useBackend();
});

test('the sample holds every value', () => {
  for (const value of [...cells, ...directions, ...Object.keys(decoders), ...scores, 'plain', 'transformer']) {
    expect(SAMPLE.filter((name) => name.includes(value))).not.toEqual([]);
  }
});

test.each(SAMPLE)(
  '%s learns to copy',
  async (name) => {
    const combination = combinations().find((one) => one.name === name);
    expect(combination).toBeDefined();
    const { exact } = await learnToCopy(combination!);
    expect(exact).toBeGreaterThanOrEqual(NEEDED);
  },
  120_000,
);

// Peephole and layer-normalised cells, and the GRU's first form, against their formulas, one unit at a time in plain numbers.
import { useBackend } from '@seqloom/tensor-ops';
import { type Tensor2D, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import type { RecurrentCell } from '../cell.js';
import { GRUCell } from './gru.js';
import { LSTMCell } from './lstm.js';

beforeAll(async () => {
  await useBackend();
});

const [I, H] = [3, 4];
const X = [0.5, -0.3, 0.8];
const STATE = [0.1, -0.4, 0.7, 0.2];
const CELL = [0.3, 0.6, -0.5, -0.1];
const range = [...Array(H).keys()];
const sigmoid = (v: number) => 1 / (1 + Math.exp(-v));

/** The values of a cell's parameter, moved off their ones and zeros where it belongs to a norm. */
function values(cell: RecurrentCell): (name: string) => number[] {
  const dict = cell.stateDict();
  for (const [name, { data }] of dict) {
    if (name.startsWith('norm')) for (const i of data.keys()) data[i]! += 0.1 * Math.sin(i + name.length);
  }
  cell.loadStateDict(dict);
  return (name) => [...dict.get(name)!.data];
}

const product = (weight: number[], x: number[]): number[] =>
  Array.from({ length: weight.length / x.length }, (_, row) =>
    x.reduce((total, value, i) => total + value * weight[row * x.length + i]!, 0),
  );

function norm(x: number[], weight: number[], bias: number[]): number[] {
  const mean = x.reduce((a, b) => a + b) / x.length;
  const variance = x.reduce((total, value) => total + (value - mean) ** 2, 0) / x.length;
  return x.map((value, i) => ((value - mean) / Math.sqrt(variance + 1e-5)) * weight[i]! + bias[i]!);
}

function expectNear(actual: Tensor2D, expected: number[]): void {
  for (const [i, value] of [...actual.dataSync()].entries()) expect(value).toBeCloseTo(expected[i]!, 5);
}

for (const [peephole, layerNorm] of [
  [true, false],
  [false, true],
  [true, true],
]) {
  test(`LSTM${peephole ? ' with peepholes' : ''}${layerNorm ? ' normalised' : ''} follows its formula`, () => {
    const cell = new LSTMCell({ inputSize: I, hiddenSize: H, peephole, layerNorm, seed: 3 });
    const value = values(cell);
    const part = (name: string, x: number[]) =>
      layerNorm ? norm(x, value(`${name}.weight`), value(`${name}.bias`)) : x;
    const bias = (name: string) => (layerNorm ? Array(4 * H).fill(0) : value(name)) as number[];
    const fromInput = part(
      'norm_ih',
      product(value('weight_ih'), X).map((v, i) => v + bias('bias_ih')[i]!),
    );
    const fromState = part(
      'norm_hh',
      product(value('weight_hh'), STATE).map((v, i) => v + bias('bias_hh')[i]!),
    );
    const p = peephole ? value('weight_peephole') : (Array(3 * H).fill(0) as number[]);
    const sum = (gate: number, u: number) => fromInput[gate * H + u]! + fromState[gate * H + u]!;
    const next = range.map((u) => {
      const i = sigmoid(sum(0, u) + p[u]! * CELL[u]!);
      const f = sigmoid(sum(1, u) + p[H + u]! * CELL[u]!);
      return f * CELL[u]! + i * Math.tanh(sum(2, u));
    });
    const shown = part('norm_cell', next);
    const hidden = range.map((u) => sigmoid(sum(3, u) + p[2 * H + u]! * next[u]!) * Math.tanh(shown[u]!));
    tidy(() => {
      const got = cell.step(tensor2d([X]), { hidden: tensor2d([STATE]), cell: tensor2d([CELL]) });
      expectNear(got.hidden, hidden);
      expectNear(got.cell!, next);
    });
    cell.dispose();
  });
}

test('GRU normalised follows its formula', () => {
  const cell = new GRUCell({ inputSize: I, hiddenSize: H, layerNorm: true, seed: 3 });
  const value = values(cell);
  const side = (which: 'ih' | 'hh', x: number[]) => {
    const sums = product(value(`weight_${which}`), x);
    const part = (name: string, from: number, to: number) =>
      norm(sums.slice(from, to), value(`norm_${which}_${name}.weight`), value(`norm_${which}_${name}.bias`));
    return { gates: part('gates', 0, 2 * H), fresh: part('new', 2 * H, 3 * H) };
  };
  const [fromInput, fromState] = [side('ih', X), side('hh', STATE)];
  const hidden = range.map((u) => {
    const r = sigmoid(fromInput.gates[u]! + fromState.gates[u]!);
    const z = sigmoid(fromInput.gates[H + u]! + fromState.gates[H + u]!);
    const n = Math.tanh(fromInput.fresh[u]! + r * fromState.fresh[u]!);
    return n + z * (STATE[u]! - n);
  });
  tidy(() => expectNear(cell.step(tensor2d([X]), { hidden: tensor2d([STATE]) }).hidden, hidden));
  cell.dispose();
});

test('GRU that resets before the product follows its formula', () => {
  const cell = new GRUCell({ inputSize: I, hiddenSize: H, resetAfter: false, seed: 3 });
  const value = values(cell);
  const gate = (which: number, state: number[]) => (u: number) => {
    const row = which * H + u;
    const dot = (name: string, x: number[]) => product(value(name).slice(row * x.length, (row + 1) * x.length), x)[0]!;
    return dot('weight_ih', X) + value('bias_ih')[row]! + dot('weight_hh', state) + value('bias_hh')[row]!;
  };
  const reset = range.map((u) => sigmoid(gate(0, STATE)(u)) * STATE[u]!);
  const hidden = range.map((u) => {
    const [z, n] = [sigmoid(gate(1, STATE)(u)), Math.tanh(gate(2, reset)(u))];
    return n + z * (STATE[u]! - n);
  });
  tidy(() => expectNear(cell.step(tensor2d([X]), { hidden: tensor2d([STATE]) }).hidden, hidden));
  cell.dispose();
});

test('a normalised cell has no biases beside its norms', () => {
  for (const cell of [
    new GRUCell({ inputSize: I, hiddenSize: H, layerNorm: true, seed: 1 }),
    new LSTMCell({ inputSize: I, hiddenSize: H, layerNorm: true, seed: 1 }),
  ]) {
    expect([...cell.namedParameters().keys()].filter((name) => name.startsWith('bias'))).toEqual([]);
    cell.dispose();
  }
});

test('a step of the wrong width is named', () => {
  const cell = new GRUCell({ inputSize: I, hiddenSize: H, seed: 1 });
  tidy(() => {
    const state = { hidden: tensor2d([STATE]) };
    expect(() => cell.step(tensor2d([[1, 2]]), state)).toThrow('GRUCell.step: x must be [B, 3]; got [1,2]');
    expect(() => cell.step(tensor2d([X]), { hidden: tensor2d([[1, 2]]) })).toThrow(
      /initial hidden state must be \[1, 4\]/,
    );
  });
  cell.dispose();
});

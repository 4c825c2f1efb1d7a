// The forward kernel of a recurrent sequence op: the input products of some times ahead as one product; then, time by time, the
// recurrent product and the cell's pointwise kernel. Letters: B rows, T times, I inputs, H units, N real steps.
// Where the steps are rows of a table that repeat, the product is of the distinct rows, and each time copies the sums that it reads.
import {
  engine,
  type KernelConfig,
  type NamedAttrMap,
  type NamedTensorInfoMap,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { address, heapBytes, makeOutput } from '../../wasm/heap.js';
import { kernels } from '../../wasm/kernels.js';
import { forGradient } from '../run-op.js';
import type { SequenceOptions } from '../scan-sequence.js';
import type { CellKernel, CellOf, ForwardStep, SequenceAttributes } from './cell-kernel.js';
import { inputProducts } from './input-products.js';
import { tableLookup } from './lookup.js';
import { recurrentProducts } from './products.js';
import { readBytes, readInputs } from './read-inputs.js';
import { sequenceSchedule } from './schedule.js';
import { scheduleBytes, withParts, writeInts, writeSchedule } from './scratch.js';
import { inputShape, isTable, type SequenceInput } from './sequence-input.js';

/** Steps whose input products are made together: enough for a fast product, few enough that the sums wait in the cache. */
const AHEAD = 128;

type Inputs = Record<'x' | 'weightIh' | 'weightHh', TensorInfo> & Partial<Record<'packedIh' | 'packedHh', TensorInfo>>;

/** The attributes of a sequence op. */
export function sequenceAttributes(
  x: SequenceInput,
  initial: unknown,
  { lengths, reverse = false }: SequenceOptions,
  cell: { relu?: boolean; resetAfter?: boolean } = {},
): NamedAttrMap {
  const [B, T] = inputShape(x);
  const schedule = sequenceSchedule(B, T, lengths);
  const attributes: SequenceAttributes = {
    shape: [B, T],
    schedule,
    reverse,
    fromZeros: !initial,
    keep: engine().isTapeOn(),
    ...cell,
  };
  if (isTable(x)) attributes.lookup = tableLookup(x, schedule);
  return attributes as unknown as NamedAttrMap;
}

/** The kernel `kernelName` for a cell of these states; its outputs are output, last states and, where they have to stay, packed rows. */
export function sequenceKernel(kernelName: string, states: string[], cellOf: CellOf): KernelConfig {
  return {
    kernelName,
    backendName: 'wasm',
    kernelFunc: ({ inputs, attrs }) => forward(inputs, states, attrs as unknown as SequenceAttributes, cellOf),
  };
}

function forward(inputs: NamedTensorInfoMap, states: string[], attributes: SequenceAttributes, cellOf: CellOf) {
  const { x, weightIh, weightHh, packedIh, packedHh } = inputs as Inputs;
  const cell = cellOf(attributes);
  const { shape, schedule, lookup, reverse, fromZeros, keep } = attributes;
  const [B, T] = shape;
  const [I, H] = [weightIh.shape[1]!, weightHh.shape[1]!];
  const { steps: N, start, active } = schedule;
  const ld = cell.slots * H;
  const places = lookup?.places;
  const rows = lookup?.rows.length ?? N; // of the input product
  const sumsLd = places ? cell.gateSlots * H : ld;
  const output = makeOutput(lookup || x.shape.length === 3 ? [B, T, H] : [B, H], 'float32');
  const finals = states.map((name) => makeOutput(inputs[name]?.shape ?? [B, H], 'float32'));
  const kept = keep ? makeOutput([N * ld], 'float32') : null; // without a gradient to come the rows are scratch
  const k = kernels();
  const input = inputProducts(k, cell, { rows, I, H }, !places && N > AHEAD, packedIh !== undefined);
  const products = recurrentProducts(k, cell.recurrent, { B, T, H }, true, packedHh !== undefined);
  const bytes = {
    ...scheduleBytes(schedule),
    ...readBytes(attributes, I),
    packed: kept ? 0 : N * ld * 4,
    places: places ? N * 4 : 0,
    sums: places ? rows * sumsLd * 4 : 0,
    bias: cell.gateSlots * H * 4,
    states: states.length * B * H * 4,
    weights: products.weights,
    inputWeights: input.weights,
    gemm: Math.max(products.gemm, input.gemm),
  };
  withParts(bytes, (at) => {
    const [packed, y] = [kept ? address(kept) : at.packed, address(output)];
    writeSchedule(schedule, at);
    if (N < B * T) k.zeroFill(y, B * T * H);
    const from = readInputs(attributes, address(x), I, at);
    writeBias(cell, H, inputs, at.bias);
    const sums = places ? at.sums : packed;
    const begin = input.on(address(weightIh), packedIh ? address(packedIh) : 0, {
      weights: at.inputWeights,
      gemm: at.gemm,
      bias: at.bias,
      x: from,
      sums,
      ld: sumsLd,
    });
    /** Begins the sums of the i-th time visited and of some after it; returns how many rows they are. */
    const beginAhead = (i: number): number => {
      let [first, count] = [N, 0];
      for (let j = i; j < T && count < AHEAD; j++) {
        const t = reverse ? T - 1 - j : j;
        first = Math.min(first, start[t]!);
        count += active[t]!;
      }
      begin(first, count);
      return count;
    };
    if (places) {
      begin(0, rows);
      writeInts(places, at.places);
    }
    const running = states.map((name, i) => {
      const [initial, to] = [inputs[name], at.states + i * B * H * 4];
      if (initial) k.gatherRows(address(initial), at.order, B, H, to, H);
      else k.zeroFill(to, B * H);
      return to;
    });
    const product = products.on(address(weightHh), packedHh ? address(packedHh) : 0, at);
    let still = fromZeros; // the first time's products are with zeros
    const step: ForwardStep = {
      k,
      place: [at.order, 0, T, 0, H],
      packed,
      states: running,
      output: y,
      attributes,
      product: (i, from, fromLd) => {
        if (!still) product(i, step.place[3], from, fromLd, step.packed + cell.recurrent[i]!.slot * H * 4, ld, true);
      },
    };
    let begun = 0; // rows whose sums wait
    for (let i = 0; i < T; i++) {
      const t = reverse ? T - 1 - i : i;
      const rows = active[t]!;
      if (rows > 0) {
        if (!places && begun === 0) begun = beginAhead(i);
        begun -= rows;
        step.packed = packed + start[t]! * ld * 4;
        step.place[1] = t;
        step.place[3] = rows;
        if (places) k.gatherRows(sums, at.places + start[t]! * 4, rows, sumsLd, step.packed, ld);
        cell.forward(step);
      }
      still = false;
    }
    for (const [i, final] of finals.entries()) k.restoreRows(running[i]!, B, H, at.order, address(final));
  });
  return kept ? [output, ...finals, forGradient(kept)] : [output, ...finals];
}

/** What each sum starts from: the input's and the recurrent bias of its gate, or zero. */
function writeBias(cell: CellKernel, H: number, inputs: NamedTensorInfoMap, at: number): void {
  const { buffer } = heapBytes();
  const to = new Float32Array(buffer, at, cell.gateSlots * H).fill(0);
  for (const [bias, blocks] of [
    [inputs.biasIh, cell.input],
    [inputs.biasHh, cell.recurrent],
  ] as const) {
    if (!bias) continue;
    const from = new Float32Array(buffer, address(bias), bias.shape[0]);
    for (const { first, count, slot } of blocks) {
      for (let i = 0; i < count * H; i++) to[slot * H + i]! += from[first * H + i]!;
    }
  }
}

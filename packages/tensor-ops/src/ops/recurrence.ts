// What the kernels of the recurrent sequence ops share. The real steps of a batch are packed (see sequence-schedule.ts), each as
// one row of slots of H floats. All input products are one product; then, time by time, the recurrent product on a weight packed
// once, and the cell's pointwise kernel, which leaves in the row what the backward pass needs. The backward pass runs the times
// the other way and leaves a row of gate gradients for each step, of which all weight gradients are one product each.
// Letters: B rows, T times, I inputs, H units, N real steps.
import {
  engine,
  type GradConfig,
  type KernelConfig,
  type NamedAttrMap,
  type NamedTensorInfoMap,
  type Tensor,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { address, heapBytes, makeOutput, withScratch } from '../wasm/heap.js';
import type { KernelExports } from '../wasm/kernel-exports.generated.js';
import { kernels } from '../wasm/kernels.js';
import type { SequenceOptions } from './scan-sequence.js';
import { type Schedule, sequenceSchedule } from './sequence-schedule.js';

/** Gates [first, first + count) of a weight, whose sums lie in a packed row from slot `slot` on. */
export interface GateBlock {
  first: number;
  count: number;
  slot: number;
}

/** A block of the recurrent weight; `source` is the slot of what it multiplies. */
export interface RecurrentBlock extends GateBlock {
  source: number;
}

/** A cell as its kernels see it. */
export interface RecurrentCellKernel {
  /** Slots of a packed row. */
  slots: number;
  /** How many of them, from the first on, are sums at first and gradients in the backward pass. */
  gateSlots: number;
  input: GateBlock[];
  recurrent: RecurrentBlock[];
  forward(step: ForwardStep): void;
  backward(step: BackwardStep): void;
}

/** One time of the forward pass; addresses are of its first row. */
export interface ForwardStep {
  k: KernelExports;
  /** Where output rows lie and how many: order, t, T, rows, H. */
  at: StepPlace;
  packed: number;
  states: number[];
  output: number;
  attributes: SequenceAttributes;
  /** Adds the product of the rows at `from` (ld floats apart) and recurrent block i to the block's slots. */
  product(i: number, from: number, ld: number): void;
}

/** One time of the backward pass. */
export interface BackwardStep {
  k: KernelExports;
  at: StepPlace;
  packed: number;
  gradients: number;
  stateGradients: number[];
  outputGradient: number;
  attributes: SequenceAttributes;
  /** The product of recurrent block i's gradients and its weight, to (or added to) the rows at `to`, ld floats apart. */
  product(i: number, to: number, ld: number, accumulate: boolean): void;
}

type StepPlace = [order: number, t: number, T: number, rows: number, H: number];

/** What the sequence ops hand to their kernels. */
export interface SequenceAttributes {
  lengths?: Int32Array;
  reverse: boolean;
  /** Whether a gradient may be asked for, so that packed rows are an output too. */
  keep: boolean;
  relu?: boolean;
  resetAfter?: boolean;
}

/** The attributes of a sequence op; `keep` while a tape runs. */
export function sequenceAttributes(
  { lengths, reverse = false }: SequenceOptions,
  cell: { relu?: boolean; resetAfter?: boolean } = {},
): NamedAttrMap {
  const attributes: SequenceAttributes = { reverse, keep: engine().isTapeOn(), ...cell };
  if (lengths) attributes.lengths = Int32Array.from(lengths);
  return attributes as unknown as NamedAttrMap;
}

type CellOf = (attributes: SequenceAttributes) => RecurrentCellKernel;

/** The forward kernel: outputs are output, states and, where `keep` says so, the packed rows. */
export function sequenceKernel(kernelName: string, states: string[], cellOf: CellOf): KernelConfig {
  return {
    kernelName,
    backendName: 'wasm',
    kernelFunc: ({ inputs, attrs }) => forward(inputs, states, attrs as unknown as SequenceAttributes, cellOf),
  };
}

function forward(inputs: NamedTensorInfoMap, states: string[], attributes: SequenceAttributes, cellOf: CellOf) {
  const { x, weightIh, weightHh } = inputs as { x: TensorInfo; weightIh: TensorInfo; weightHh: TensorInfo };
  const cell = cellOf(attributes);
  const { B, T, I, H, schedule } = sizes(x, weightHh, attributes);
  const { steps: N, natural, start, active } = schedule;
  const ld = cell.slots * H;
  const output = makeOutput([B, T, H], 'float32');
  const finals = states.map(() => makeOutput([B, H], 'float32'));
  const kept = makeOutput([N * ld], 'float32');
  const k = kernels();
  const bytes = {
    order: B * 4,
    active: T * 4,
    x: natural ? 0 : N * I * 4,
    bias: cell.gateSlots * H * 4,
    states: states.length * B * H * 4,
    weights: cell.recurrent.reduce((sum, { count }) => sum + k.packedBytes(H, count * H), 0),
    gemm: Math.max(k.gemmScratchBytes(N, cell.gateSlots * H, I), k.gemmPackedScratchBytes(B, H)),
  };
  withParts(bytes, (at) => {
    const packed = address(kept);
    const y = address(output);
    writeSchedule(schedule, at);
    if (N < B * T) k.zeroFill(y, B * T * H);
    if (!natural) k.packSteps(address(x), T, I, at.order, at.active, at.x);
    const xs = natural ? address(x) : at.x;
    writeBias(cell, H, inputs, at.bias);
    k.fillRows(packed, ld, N, cell.gateSlots * H, at.bias);
    for (const { first, count, slot } of cell.input) {
      const w = address(weightIh) + first * H * I * 4;
      k.gemm(0, 1, N, count * H, I, xs, I, w, I, packed + slot * H * 4, ld, true, at.gemm);
    }
    const state = states.map((name, i) => {
      const [initial, to] = [inputs[name], at.states + i * B * H * 4];
      if (initial) k.gatherRows(address(initial), at.order, B, H, to);
      else k.zeroFill(to, B * H);
      return to;
    });
    let end = at.weights;
    const weights = cell.recurrent.map(({ first, count }) => {
      const at = end;
      k.packB(1, address(weightHh) + first * H * H * 4, H, H, count * H, at);
      end += k.packedBytes(H, count * H);
      return at;
    });
    for (let i = 0; i < T; i++) {
      const t = attributes.reverse ? T - 1 - i : i;
      const rows = active[t]!;
      if (rows === 0) continue;
      const rowsAt = packed + start[t]! * ld * 4;
      cell.forward({
        k,
        at: [at.order, t, T, rows, H],
        packed: rowsAt,
        states: state,
        output: y,
        attributes,
        product: (i, from, fromLd) => {
          const { count, slot } = cell.recurrent[i]!;
          k.gemmPacked(0, rows, count * H, H, from, fromLd, weights[i]!, rowsAt + slot * H * 4, ld, true, at.gemm);
        },
      });
    }
    for (const [i, final] of finals.entries()) k.restoreRows(state[i]!, B, H, at.order, address(final));
  });
  if (!attributes.keep) {
    engine().backend.disposeData(kept.dataId);
    return [output, ...finals];
  }
  // tfjs makes zeros for the gradient of every output that has none: the packed rows go out as a tensor of no elements
  return [output, ...finals, { ...kept, shape: [0] }];
}

/** The gradient of every input, from the packed rows of the forward pass. */
export function sequenceGradient(kernelName: string, states: string[], cellOf: CellOf): GradConfig {
  return {
    kernelName,
    inputsToSave: ['x', 'weightIh', 'weightHh'],
    outputsToSave: [false, ...states.map(() => false), true],
    gradFunc: (dy, saved, attrs) => {
      const [dOutput, ...dStates] = dy as [Tensor, ...Tensor[]];
      return backward(
        dOutput,
        dStates.slice(0, states.length),
        states,
        saved,
        attrs as unknown as SequenceAttributes,
        cellOf,
      );
    },
  };
}

function backward(
  dOutput: Tensor,
  dStates: Tensor[],
  states: string[],
  saved: Tensor[],
  attributes: SequenceAttributes,
  cellOf: CellOf,
): { [name: string]: () => Tensor } {
  const [x, weightIh, weightHh, kept] = saved as [Tensor, Tensor, Tensor, Tensor];
  const cell = cellOf(attributes);
  const { B, T, I, H, schedule } = sizes(x, weightHh, attributes);
  const { steps: N, natural, start, active } = schedule;
  const [ld, gradientLd] = [cell.slots * H, cell.gateSlots * H];
  const k = kernels();
  const made = (shape: number[], fill: (out: number) => void): Tensor => {
    const out = makeOutput(shape, 'float32');
    fill(address(out));
    return engine().makeTensorFromTensorInfo(out);
  };
  const gradients = made([N * gradientLd], () => undefined);
  const dInitial = states.map(() => made([B, H], () => undefined));
  const bytes = {
    order: B * 4,
    active: T * 4,
    states: states.length * B * H * 4,
    weights: cell.recurrent.reduce((sum, { count }) => sum + k.packedBytes(count * H, H), 0),
    gemm: k.gemmPackedScratchBytes(B, cell.gateSlots * H),
  };
  withParts(bytes, (at) => {
    writeSchedule(schedule, at);
    const state = dStates.map((dState, i) => {
      const to = at.states + i * B * H * 4;
      k.gatherRows(address(dState), at.order, B, H, to);
      return to;
    });
    let end = at.weights;
    const weights = cell.recurrent.map(({ first, count }) => {
      const at = end;
      k.packB(0, address(weightHh) + first * H * H * 4, H, count * H, H, at);
      end += k.packedBytes(count * H, H);
      return at;
    });
    for (let i = 0; i < T; i++) {
      const t = attributes.reverse ? i : T - 1 - i;
      const rows = active[t]!;
      if (rows === 0) continue;
      const rowsAt = address(gradients) + start[t]! * gradientLd * 4;
      cell.backward({
        k,
        at: [at.order, t, T, rows, H],
        packed: address(kept) + start[t]! * ld * 4,
        gradients: rowsAt,
        stateGradients: state,
        outputGradient: address(dOutput),
        attributes,
        product: (i, to, toLd, accumulate) => {
          const { count, slot } = cell.recurrent[i]!;
          const from = rowsAt + slot * H * 4;
          k.gemmPacked(0, rows, H, count * H, from, gradientLd, weights[i]!, to, toLd, accumulate, at.gemm);
        },
      });
    }
    for (const [i, d] of dInitial.entries()) k.restoreRows(state[i]!, B, H, at.order, address(d));
  });

  const gemm = {
    gemm: Math.max(k.gemmScratchBytes(N, I, gradientLd), k.gemmScratchBytes(gradientLd, Math.max(I, H), N)),
  };
  const biasGradient = (blocks: GateBlock[]) => () =>
    made([weightHh.shape[0]!], (out) => {
      for (const { first, count, slot } of blocks) {
        k.columnSums(address(gradients) + slot * H * 4, gradientLd, N, count * H, out + first * H * 4, false);
      }
    });
  const steps = { order: B * 4, active: T * 4, x: natural ? 0 : N * I * 4 };
  return {
    x: () =>
      made(x.shape, (out) =>
        withParts({ ...steps, ...gemm }, (at) => {
          const to = natural ? out : at.x;
          for (const [i, { first, count, slot }] of cell.input.entries()) {
            const [from, w] = [address(gradients) + slot * H * 4, address(weightIh) + first * H * I * 4];
            k.gemm(0, 0, N, I, count * H, from, gradientLd, w, I, to, I, i > 0, at.gemm);
          }
          if (natural) return;
          writeSchedule(schedule, at);
          if (N < B * T) k.zeroFill(out, B * T * I);
          k.unpackSteps(at.x, T, I, at.order, at.active, out);
        }),
      ),
    weightIh: () =>
      made(weightIh.shape, (out) =>
        withParts({ ...steps, ...gemm }, (at) => {
          writeSchedule(schedule, at);
          if (!natural) k.packSteps(address(x), T, I, at.order, at.active, at.x);
          const xs = natural ? address(x) : at.x;
          for (const { first, count, slot } of cell.input) {
            const from = address(gradients) + slot * H * 4;
            k.gemm(1, 0, count * H, I, N, from, gradientLd, xs, I, out + first * H * I * 4, I, false, at.gemm);
          }
        }),
      ),
    weightHh: () =>
      made(weightHh.shape, (out) =>
        withParts(gemm, (at) => {
          for (const { first, count, slot, source } of cell.recurrent) {
            const [from, s] = [address(gradients) + slot * H * 4, address(kept) + source * H * 4];
            k.gemm(1, 0, count * H, H, N, from, gradientLd, s, ld, out + first * H * H * 4, H, false, at.gemm);
          }
        }),
      ),
    biasIh: biasGradient(cell.input),
    biasHh: biasGradient(cell.recurrent),
    ...Object.fromEntries(states.map((name, i) => [name, () => dInitial[i]!])),
  };
}

function sizes(x: TensorInfo, weightHh: TensorInfo, { lengths }: SequenceAttributes) {
  const [B, T, I] = x.shape as [number, number, number];
  return { B, T, I, H: weightHh.shape[1]!, schedule: sequenceSchedule(B, T, lengths) };
}

/** Runs `use` with addresses of scratch parts of so many bytes each. */
function withParts<Name extends string>(bytes: Record<Name, number>, use: (at: Record<Name, number>) => void): void {
  const names = Object.keys(bytes) as Name[];
  const padded = (name: Name) => (bytes[name] + 31) & ~15; // the product's packer may read and write a few bytes further
  withScratch(
    names.reduce((sum, name) => sum + padded(name), 0),
    (pointer) => {
      const at = {} as Record<Name, number>;
      let next = pointer;
      for (const name of names) {
        at[name] = next;
        next += padded(name);
      }
      use(at);
    },
  );
}

function writeSchedule({ order, active }: Schedule, at: { order: number; active: number }): void {
  const heap = heapBytes();
  heap.set(new Uint8Array(order.buffer), at.order);
  heap.set(new Uint8Array(active.buffer), at.active);
}

/** What each sum starts from: the input's and the recurrent bias of its gate, or zero. */
function writeBias(cell: RecurrentCellKernel, H: number, inputs: NamedTensorInfoMap, at: number): void {
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

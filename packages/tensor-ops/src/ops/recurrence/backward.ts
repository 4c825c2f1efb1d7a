// The gradient of a recurrent sequence op: the times the other way, each turning the packed row of a real step into its gate
// gradients, of which the gradients of x and of all weights are one product each. Letters as in forward.ts. Where the steps are rows
// of a table that repeat, the gate gradients of each distinct row are added up, and the products are of the sums.
import { engine, type GradConfig, type Tensor } from '@tensorflow/tfjs-core';
import { address, heapBytes, makeOutput, withScratch } from '../../wasm/heap.js';
import { kernels } from '../../wasm/kernels.js';
import { calledAs } from '../run-op.js';
import type { BackwardStep, CellOf, GateBlock, SequenceAttributes } from './cell-kernel.js';
import { recurrentProducts } from './products.js';
import { readBytes, readInputs } from './read-inputs.js';
import { scheduleBytes, withParts, writeInts, writeSchedule } from './scratch.js';

/** The gradient of the kernel `kernelName` with respect to every input. */
export function sequenceGradient(kernelName: string, states: string[], cellOf: CellOf): GradConfig {
  return {
    kernelName,
    inputsToSave: ['x', 'weightIh', 'weightHh'],
    outputsToSave: [false, ...states.map(() => false), true],
    gradFunc: (dy, saved, attrs) => {
      spend(saved.at(-1)!, kernelName);
      return backward(dy as Tensor[], states, saved, attrs as unknown as SequenceAttributes, cellOf);
    },
  };
}

/** Packed rows that hold gradients already. */
const spent = new WeakSet<object>();

function spend({ dataId }: Tensor, kernelName: string): void {
  if (spent.has(dataId)) {
    throw new Error(
      `${calledAs(kernelName)}: the gradient of one call can be taken once; a gradient within a gradient needs a call of its own`,
    );
  }
  spent.add(dataId);
}

function backward(
  [dOutput, ...dStates]: Tensor[],
  states: string[],
  saved: Tensor[],
  attributes: SequenceAttributes,
  cellOf: CellOf,
): { [input: string]: () => Tensor } {
  const [x, weightIh, weightHh, kept] = saved as [Tensor, Tensor, Tensor, Tensor];
  const cell = cellOf(attributes);
  const { shape, schedule, lookup, reverse, fromZeros } = attributes;
  const [B, T] = shape;
  const [I, H] = [weightIh.shape[1]!, weightHh.shape[1]!];
  const { steps: N, natural, start, active } = schedule;
  const places = lookup?.places;
  const [ld, gatesWidth] = [cell.slots * H, cell.gateSlots * H];
  const k = kernels();

  const rows = lookup?.rows.length ?? N; // of the products with inputs
  const sums = places ? filled([rows * gatesWidth], (out) => k.zeroFill(out, rows * gatesWidth)) : kept;
  const sumsLd = places ? gatesWidth : ld;
  const dInitial = states.map((_, i) => unset(dStates[i]!.shape));
  const products = recurrentProducts(k, cell.recurrent, { B, T, H }, false);
  const { weights, gemm } = products;
  const bytes = { states: states.length * B * H * 4, places: places ? N * 4 : 0, weights, gemm };
  withParts({ ...scheduleBytes(schedule), ...bytes }, (at) => {
    writeSchedule(schedule, at);
    if (places) writeInts(places, at.places);
    const running = states.map((_, i) => {
      const to = at.states + i * B * H * 4;
      k.gatherRows(address(dStates[i]!), at.order, B, H, to, H);
      return to;
    });
    const product = products.on(address(weightHh), 0, at);
    let last = false; // there the gradient of the zeros before, which nobody asks for, would be the product
    const step: BackwardStep = {
      k,
      place: [at.order, 0, T, 0, H],
      packed: address(kept),
      stateGradients: running,
      outputGradient: address(dOutput!),
      attributes,
      product: (block, to, toLd, accumulate) => {
        if (last && to === running[0]) return;
        const gates = step.packed + cell.recurrent[block]!.slot * H * 4;
        product(block, step.place[3], gates, ld, to, toLd, accumulate);
      },
    };
    for (let i = 0; i < T; i++) {
      const t = reverse ? i : T - 1 - i;
      const rows = active[t]!;
      if (rows === 0) continue;
      last = fromZeros && i === T - 1;
      step.packed = address(kept) + start[t]! * ld * 4;
      step.place[1] = t;
      step.place[3] = rows;
      cell.backward(step);
      if (places) k.scatterAddRows(step.packed, ld, at.places + start[t]! * 4, rows, gatesWidth, -1, address(sums));
    }
    for (const [i, d] of dInitial.entries()) k.restoreRows(running[i]!, B, H, at.order, address(d));
  });

  const parts = { ...scheduleBytes(schedule), ...readBytes(attributes, I) };
  const copied = lookup !== undefined || !natural; // what the products with inputs read
  const sumsOf = ({ slot }: GateBlock) => address(sums) + slot * H * 4;
  let gateSums: Float32Array | undefined; // of both biases
  const biasGradient = (blocks: GateBlock[]): Tensor => {
    gateSums ??= withScratch(gatesWidth * 4, (out) => {
      k.columnSums(address(sums), sumsLd, rows, gatesWidth, out, false);
      return new Float32Array(heapBytes().buffer, out, gatesWidth).slice();
    });
    const from = gateSums;
    return filled([weightHh.shape[0]!], (out) => {
      const to = new Float32Array(heapBytes().buffer, out, weightHh.shape[0]!);
      for (const { first, count, slot } of blocks) to.set(from.subarray(slot * H, (slot + count) * H), first * H);
    });
  };

  // the state before the first time was zero: those steps, at the beginning or in reverse at the end, add nothing to weightHh
  const still = fromZeros && T > 0 ? active[reverse ? T - 1 : 0]! : 0;
  const [moving, firstMoving] = [N - still, reverse ? 0 : still];
  return {
    x: () =>
      filled(x.shape, (out) =>
        withParts({ ...parts, gemm: k.gemmScratchBytes(rows, I, gatesWidth) }, (at) => {
          for (const [i, block] of cell.input.entries()) {
            const [K, w, to] = [block.count * H, address(weightIh) + block.first * H * I * 4, copied ? at.x : out];
            k.gemm(0, 0, rows, I, K, sumsOf(block), sumsLd, w, I, to, I, i > 0, at.gemm);
          }
          if (!copied) return;
          if (lookup || N < B * T) k.zeroFill(out, x.size);
          if (lookup) {
            writeInts(lookup.rows, at.rows);
            k.scatterAddRows(at.x, I, at.rows, rows, I, lookup.paddingId, out);
          } else {
            writeSchedule(schedule, at);
            k.unpackSteps(at.x, T, I, at.order, at.active, out);
          }
        }),
      ),
    weightIh: () =>
      filled(weightIh.shape, (out) =>
        withParts({ ...parts, gemm: k.gemmScratchBytes(gatesWidth, I, rows) }, (at) => {
          writeSchedule(schedule, at);
          const from = readInputs(attributes, address(x), I, at);
          for (const block of cell.input) {
            const [M, to] = [block.count * H, out + block.first * H * I * 4];
            k.gemm(1, 0, M, I, rows, sumsOf(block), sumsLd, from, I, to, I, false, at.gemm);
          }
        }),
      ),
    weightHh: () =>
      filled(weightHh.shape, (out) =>
        withScratch(k.gemmScratchBytes(gatesWidth, H, moving), (gemm) => {
          const row = address(kept) + firstMoving * ld * 4;
          for (const block of cell.recurrent) {
            const at = (slot: number) => row + slot * H * 4;
            const [M, to] = [block.count * H, out + block.first * H * H * 4];
            k.gemm(1, 0, M, H, moving, at(block.slot), ld, at(block.source), ld, to, H, false, gemm);
          }
        }),
      ),
    biasIh: () => biasGradient(cell.input),
    biasHh: () => biasGradient(cell.recurrent),
    ...Object.fromEntries(states.map((name, i) => [name, () => dInitial[i]!])),
  };
}

/** A tensor of unset elements, freed with the backward pass unless handed out. */
function unset(shape: number[]): Tensor {
  return engine().makeTensorFromTensorInfo(makeOutput(shape, 'float32'));
}

/** A tensor that `fill` fills, given its address. */
function filled(shape: number[], fill: (out: number) => void): Tensor {
  const tensor = unset(shape);
  fill(address(tensor));
  return tensor;
}

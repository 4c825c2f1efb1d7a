// The gradient of a recurrent sequence op: the times the other way, each leaving a row of gate gradients a real step, of which
// the gradients of x and of all weights are one product each. Letters as in forward.ts.
import { engine, type GradConfig, type Tensor } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../../wasm/heap.js';
import { kernels } from '../../wasm/kernels.js';
import type { CellOf, GateBlock, SequenceAttributes } from './cell-kernel.js';
import { recurrentProducts } from './products.js';
import { sequenceSchedule } from './schedule.js';
import { scheduleBytes, withParts, writeSchedule } from './scratch.js';

/** The gradient of the kernel `kernelName` with respect to every input. */
export function sequenceGradient(kernelName: string, states: string[], cellOf: CellOf): GradConfig {
  return {
    kernelName,
    inputsToSave: ['x', 'weightIh', 'weightHh'],
    outputsToSave: [false, ...states.map(() => false), true],
    gradFunc: (dy, saved, attrs) =>
      backward(dy as Tensor[], states, saved, attrs as unknown as SequenceAttributes, cellOf),
  };
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
  const [B, T, I] = x.shape as [number, number, number];
  const H = weightHh.shape[1]!;
  const schedule = sequenceSchedule(B, T, attributes.lengths);
  const { steps: N, natural, start, active } = schedule;
  const [ld, gradientLd] = [cell.slots * H, cell.gateSlots * H];
  const k = kernels();

  const gradients = unset([N * gradientLd]);
  const dInitial = states.map(() => unset([B, H]));
  const products = recurrentProducts(k, cell.recurrent, { B, T, H }, false);
  const { weights, gemm } = products;
  withParts({ ...scheduleBytes(schedule), states: states.length * B * H * 4, weights, gemm }, (at) => {
    writeSchedule(schedule, at);
    const running = states.map((_, i) => {
      const to = at.states + i * B * H * 4;
      k.gatherRows(address(dStates[i]!), at.order, B, H, to);
      return to;
    });
    const product = products.on(address(weightHh), 0, at);
    for (let i = 0; i < T; i++) {
      const t = attributes.reverse ? i : T - 1 - i;
      const rows = active[t]!;
      if (rows === 0) continue;
      const row = address(gradients) + start[t]! * gradientLd * 4;
      cell.backward({
        k,
        place: [at.order, t, T, rows, H],
        packed: address(kept) + start[t]! * ld * 4,
        gradients: row,
        stateGradients: running,
        outputGradient: address(dOutput!),
        attributes,
        product: (i, to, toLd, accumulate) =>
          product(i, rows, row + cell.recurrent[i]!.slot * H * 4, gradientLd, to, toLd, accumulate),
      });
    }
    for (const [i, d] of dInitial.entries()) k.restoreRows(running[i]!, B, H, at.order, address(d));
  });

  const parts = { ...scheduleBytes(schedule), x: natural ? 0 : N * I * 4 };
  const gatesOf = ({ slot }: GateBlock) => address(gradients) + slot * H * 4;
  const biasGradient = (blocks: GateBlock[]): Tensor =>
    filled([weightHh.shape[0]!], (out) => {
      for (const block of blocks) {
        k.columnSums(gatesOf(block), gradientLd, N, block.count * H, out + block.first * H * 4, false);
      }
    });
  return {
    x: () =>
      filled(x.shape, (out) =>
        withParts({ ...parts, gemm: k.gemmScratchBytes(N, I, gradientLd) }, (at) => {
          for (const [i, block] of cell.input.entries()) {
            const [K, w, to] = [block.count * H, address(weightIh) + block.first * H * I * 4, natural ? out : at.x];
            k.gemm(0, 0, N, I, K, gatesOf(block), gradientLd, w, I, to, I, i > 0, at.gemm);
          }
          if (natural) return;
          writeSchedule(schedule, at);
          if (N < B * T) k.zeroFill(out, B * T * I);
          k.unpackSteps(at.x, T, I, at.order, at.active, out);
        }),
      ),
    weightIh: () =>
      filled(weightIh.shape, (out) =>
        withParts({ ...parts, gemm: k.gemmScratchBytes(gradientLd, I, N) }, (at) => {
          writeSchedule(schedule, at);
          if (!natural) k.packSteps(address(x), T, I, at.order, at.active, at.x);
          for (const block of cell.input) {
            const [M, from, to] = [block.count * H, natural ? address(x) : at.x, out + block.first * H * I * 4];
            k.gemm(1, 0, M, I, N, gatesOf(block), gradientLd, from, I, to, I, false, at.gemm);
          }
        }),
      ),
    weightHh: () =>
      filled(weightHh.shape, (out) =>
        withParts({ gemm: k.gemmScratchBytes(gradientLd, H, N) }, (at) => {
          for (const block of cell.recurrent) {
            const [M, from, to] = [
              block.count * H,
              address(kept) + block.source * H * 4,
              out + block.first * H * H * 4,
            ];
            k.gemm(1, 0, M, H, N, gatesOf(block), gradientLd, from, ld, to, H, false, at.gemm);
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

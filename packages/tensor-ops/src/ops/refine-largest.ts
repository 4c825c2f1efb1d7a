// What 8-bit products are good enough to find, but not to rank. Letters: M rows, I inputs, O outputs.
import { clone, engine, type Tensor } from '@tensorflow/tfjs-core';
import { refineLargestReference } from '../reference/refine-largest.js';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { rowsOf } from './rows-of.js';
import { requireBackend } from './run-op.js';

/**
 * y with the largest `count` elements of each row replaced by those of x Wᵀ + b. After a product in 8 bits that leaves the
 * ranking of the likely tokens as floats give it, for the cost of a few rows of W.
 *
 * @param y [..., O], about x Wᵀ + b
 * @param x [..., I]
 * @param weight [O, I]
 * @param bias [O], or none
 * @param count at least 1; O or more refine everything
 * @returns as y; not differentiable
 * @throws Error when sizes do not fit, or when tfjs is recording a gradient
 */
export function refineLargest(y: Tensor, x: Tensor, weight: Tensor, bias: Tensor | undefined, count: number): Tensor {
  check(y, x, weight, bias, count);
  const [O, I] = weight.shape as [number, number];
  if (requireBackend('refineLargest') !== 'wasm') return refineLargestReference(y, x, weight, bias, count);
  if (y.size === 0) return clone(y);
  const refined = makeOutput(y.shape, 'float32');
  const k = kernels();
  withScratch(k.refineScratchBytes(count), (scratch) => {
    k.scaleBy(address(y), address(refined), y.size, 1);
    const [from, start] = [address(x), bias ? address(bias) : 0];
    k.refineLargest(from, rowsOf(x), I, address(weight), start, address(refined), O, count, scratch);
  });
  return engine().makeTensorFromTensorInfo(refined);
}

function check(y: Tensor, x: Tensor, weight: Tensor, bias: Tensor | undefined, count: number): void {
  if (engine().isTapeOn()) throw new Error('refineLargest: has no gradient; use linear where tfjs records one');
  if (weight.rank !== 2) throw new Error(`refineLargest: weight must be [O, I]; got shape [${weight.shape}]`);
  const [O, I] = weight.shape as [number, number];
  const leading = x.shape.slice(0, -1);
  if (x.shape.at(-1) !== I) {
    throw new Error(`refineLargest: the last axis of x must be ${I}; got x of shape [${x.shape}]`);
  }
  if (y.shape.join() !== [...leading, O].join()) {
    throw new Error(`refineLargest: y must be [${[...leading, O]}]; got [${y.shape}]`);
  }
  if (bias && bias.shape.join() !== `${O}`) throw new Error(`refineLargest: bias must be [${O}]; got [${bias.shape}]`);
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`refineLargest: count must be a whole number above 0; got ${count}`);
  }
}

import {
  backend_util,
  broadcastTo,
  customGrad,
  engine,
  type GradConfig,
  reshape,
  type Tensor,
  type TensorInfo,
  sum as total,
  util,
} from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { reducedNothing } from './empty-reductions.js';
import { type Replacement, release, runKernel } from './replacement.js';

/** Sum over neighbouring axes that are not the last: down columns, where the stock kernel transposes first (28 times slower). */
export const sum: Replacement = {
  kernelName: 'Sum',
  run: ({ x }, attributes, stock) => {
    const { axis, keepDims } = attributes as { axis: number | number[]; keepDims: boolean };
    const { shape, dtype } = x!;
    if (dtype === 'bool') return summed(x!, attributes);
    if (util.sizeFromShape(shape) === 0) return reducedNothing(x!, attributes, 0, dtype);
    const axes = util.parseAxisParam(axis, shape).sort((p, q) => p - q);
    const [first = 0] = axes;
    const neighbours = axes.every((a, i) => a === first + i);
    const inner = shape.slice(first + axes.length);
    if (dtype !== 'float32' || !neighbours || axes.length === 0 || util.sizeFromShape(inner) === 1) {
      return stock({ x: x! }, attributes);
    }
    const [kept, reduced] = backend_util.computeOutAndReduceShapes(shape, axes);
    const out = makeOutput(keepDims ? backend_util.expandShapeToKeepDim(kept, axes) : kept, 'float32');
    columnSums(
      x!,
      out,
      util.sizeFromShape(shape.slice(0, first)),
      util.sizeFromShape(reduced),
      util.sizeFromShape(inner),
    );
    return out;
  },
};

/** Of truths their number, as tfjs' op has it; the stock kernel reads them as words. */
function summed(truths: TensorInfo, attributes: unknown): TensorInfo {
  const x = runKernel('Cast', { x: truths }, { dtype: 'int32' });
  const y = runKernel('Sum', { x }, attributes);
  release(x);
  return y;
}

/**
 * On wasm the gradient of a sum is dy, repeated by our Tile; tfjs multiplies dy by ones that it makes anew each time. The gradient of
 * that is a sum again: Tile's own adds up slices, one for each repetition.
 */
export function sumGradient(stock: GradConfig): GradConfig {
  return {
    ...stock,
    gradFunc: (dy, saved, attributes) => {
      const [{ shape, size }] = saved as [Tensor];
      if (engine().backendName !== 'wasm' || size === 0) return stock.gradFunc(dy, saved, attributes);
      const axes = util.parseAxisParam((attributes as unknown as { axis: number | number[] }).axis, shape);
      const kept = backend_util.expandShapeToKeepDim(
        shape.filter((_, axis) => !axes.includes(axis)),
        axes,
      );
      const spread = customGrad((d) => ({
        value: broadcastTo(d as Tensor, shape as [number]),
        gradFunc: (dd: Tensor) => total(dd, axes, true),
      }));
      return { x: () => spread(reshape(dy as Tensor, kept)) };
    },
  };
}

/** x [outer, rows, columns] → out [outer, columns]. */
function columnSums(x: TensorInfo, out: TensorInfo, outer: number, rows: number, columns: number): void {
  const k = kernels();
  const [from, to] = [address(x), address(out)];
  for (let i = 0; i < outer; i++) {
    k.columnSums(from + i * rows * columns * 4, columns, rows, columns, to + i * columns * 4, false);
  }
}

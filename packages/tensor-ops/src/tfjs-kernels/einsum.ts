import { backend_util, type TensorInfo, util } from '@tensorflow/tfjs-core';
import { batchedProduct } from './batched-product.js';
import { type Replacement, release, runKernel } from './replacement.js';

/** A tensor whose axes carry the equation's dimensions, numbered with the output's first. */
interface Labelled {
  tensor: TensorInfo;
  dims: number[];
}

/**
 * Σ over the dimensions that the output lacks. Two operands become one batched matrix product: dimensions of both that stay are
 * its batch, those of both that go its inner size, all others its rows and columns.
 */
export const einsum: Replacement = {
  kernelName: 'Einsum',
  run: (inputs, attributes) => {
    const { equation } = attributes as { equation: string };
    const tensors = Object.values(inputs);
    const { allDims, summedDims, idDims } = backend_util.decodeEinsumEquation(equation, tensors.length);
    // Its types say Tensor, but it reads shapes only.
    type Tensors = Parameters<typeof backend_util.checkEinsumDimSizes>[2];
    backend_util.checkEinsumDimSizes(allDims.length, idDims, tensors as Tensors);
    const output = allDims.map((_, d) => d).filter((d) => !summedDims.includes(d));
    const made: TensorInfo[] = [];
    const make = (kernelName: string, x: TensorInfo, attrs: unknown): TensorInfo => {
      const y = runKernel(kernelName, { x }, attrs);
      made.push(y);
      return y;
    };
    const [a, b] = tensors.map((tensor, i) => reduced({ tensor, dims: idDims[i]! }, output, idDims, make));
    const joined = b ? product(a!, b, output, make) : a!;
    if (b) made.push(joined.tensor);
    const { tensor } = arranged(joined, output, make);
    if (!made.includes(tensor)) return runKernel('Identity', { x: tensor });
    release(...made.filter((x) => x !== tensor));
    return tensor;
  },
};

type Make = (kernelName: string, x: TensorInfo, attributes: unknown) => TensorInfo;

/** Summed over the dimensions that neither the output nor another operand has. */
function reduced({ tensor, dims }: Labelled, output: number[], all: number[][], make: Make): Labelled {
  const alone = dims.filter((d) => !output.includes(d) && all.filter((other) => other.includes(d)).length === 1);
  if (alone.length === 0) return { tensor, dims };
  const axis = alone.map((d) => dims.indexOf(d));
  return { tensor: make('Sum', tensor, { axis, keepDims: false }), dims: dims.filter((d) => !alone.includes(d)) };
}

/** With the axes in the order of `dims`. */
function arranged(x: Labelled, dims: number[], make: Make): Labelled {
  if (x.dims.join() === dims.join()) return x;
  return { tensor: make('Transpose', x.tensor, { perm: dims.map((d) => x.dims.indexOf(d)) }), dims };
}

function product(a: Labelled, b: Labelled, output: number[], make: Make): Labelled {
  const shared = a.dims.filter((d) => b.dims.includes(d));
  const batch = shared.filter((d) => output.includes(d));
  const inner = shared.filter((d) => !output.includes(d));
  const sizeOf = (dims: number[]) => dims.map((d) => (a.dims.includes(d) ? sizeIn(a, d) : sizeIn(b, d)));
  const size = (dims: number[]) => util.sizeFromShape(sizeOf(dims));
  const free = (x: Labelled) => x.dims.filter((d) => !shared.includes(d));
  const matrix = (x: Labelled, rows: number[], columns: number[]) => {
    const flipped = x.dims.join() === [...batch, ...columns, ...rows].join();
    const { tensor } = flipped ? x : arranged(x, [...batch, ...rows, ...columns], make);
    const shape = [size(batch), ...(flipped ? [size(columns), size(rows)] : [size(rows), size(columns)])];
    return { flipped, tensor: floatOf({ ...tensor, shape }, a, b, make) };
  };
  const [left, right] = [matrix(a, free(a), inner), matrix(b, inner, free(b))];
  const dims = [...batch, ...free(a), ...free(b)];
  const y = batchedProduct(left.tensor, right.tensor, left.flipped, right.flipped);
  return { tensor: { ...y, shape: sizeOf(dims) }, dims };
}

/** Operands of different dtypes meet as floats. */
function floatOf(x: TensorInfo, a: Labelled, b: Labelled, make: Make): TensorInfo {
  return a.tensor.dtype === b.tensor.dtype ? x : make('Cast', x, { dtype: 'float32' });
}

function sizeIn({ tensor, dims }: Labelled, dim: number): number {
  return tensor.shape[dims.indexOf(dim)] as number;
}

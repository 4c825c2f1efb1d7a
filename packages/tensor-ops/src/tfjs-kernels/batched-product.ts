// op(a) op(b) over batches that broadcast: the one product behind BatchMatMul and _FusedMatMul.
import { broadcast_util, type TensorInfo, util } from '@tensorflow/tfjs-core';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';

/** What is done to the product while its rows are in the cache: a bias [N] by its address, a function by its number in the kernels. */
export interface Epilogue {
  bias: number;
  activation: number;
}

/**
 * op(a) op(b), a [..., M, K] (or [..., K, M] when transposed), b [..., K, N] (or [..., N, K]) → [..., M, N].
 *
 * @throws Error when the inner sizes differ, the batches do not broadcast or the dtype is not float32 or int32
 */
export function batchedProduct(
  a: TensorInfo,
  b: TensorInfo,
  transposeA: boolean,
  transposeB: boolean,
  epilogue: Epilogue = { bias: 0, activation: 0 },
): TensorInfo {
  if (a.shape.length < 2 || b.shape.length < 2) {
    throw new Error(`matMul: both sides must have two axes or more; got shapes [${a.shape}] and [${b.shape}]`);
  }
  const [K, M] = sizes(a, transposeA);
  const [N, inner] = sizes(b, transposeB);
  if (inner !== K) {
    throw new Error(
      `matMul: the inner sizes must agree; got ${K} and ${inner} for shapes [${a.shape}] and [${b.shape}]` +
        ` with transposeA ${transposeA}, transposeB ${transposeB}`,
    );
  }
  if (a.dtype !== 'float32' && a.dtype !== 'int32') {
    throw new Error(`matMul: the wasm backend multiplies float32 and int32; got ${a.dtype}`);
  }
  const [batchA, batchB] = [a.shape.slice(0, -2), b.shape.slice(0, -2)];
  const batch = broadcast_util.assertAndGetBroadcastShape(batchA, batchB);
  const out = makeOutput([...batch, M, N], a.dtype);
  const count = util.sizeFromShape(batch);
  if (count * M * N === 0) return out;
  const k = kernels();
  const [tA, tB] = [Number(transposeA), Number(transposeB)];
  const multiply = (m: number, at: number, bt: number, ct: number, scratch: number) =>
    a.dtype === 'float32'
      ? k.gemmBias(
          tA,
          tB,
          m,
          N,
          K,
          at,
          transposeA ? m : K,
          bt,
          transposeB ? K : N,
          ct,
          N,
          epilogue.bias,
          epilogue.activation,
          scratch,
        )
      : k.intProduct(tA, tB, m, N, K, at, transposeA ? m : K, bt, transposeB ? K : N, ct);
  const shared = !transposeA && util.sizeFromShape(batchB) === 1; // one right side: all rows are one product
  withScratch(k.gemmScratchBytes(shared ? count * M : M, N, K), (scratch) => {
    const [from, by, to] = [address(a), address(b), address(out)];
    if (shared) return multiply(count * M, from, by, to, scratch);
    const [ofA, ofB] = [batchIndex(batchA, batch), batchIndex(batchB, batch)];
    for (let i = 0; i < count; i++) {
      multiply(M, from + ofA(i) * M * K * 4, by + ofB(i) * K * N * 4, to + i * M * N * 4, scratch);
    }
  });
  return out;
}

/** The last two sizes: of op(a), inner and outer. */
function sizes({ shape }: TensorInfo, transposed: boolean): [number, number] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return transposed ? [rows, columns] : [columns, rows];
}

/** Number of the batch of `shape` that the broadcast batch number i reads. */
function batchIndex(shape: number[], broadcast: number[]): (i: number) => number {
  const padded = [...Array<number>(broadcast.length - shape.length).fill(1), ...shape];
  if (padded.every((size, d) => size === broadcast[d])) return (i) => i;
  const strides = util.computeStrides([...padded, 1]);
  return (i) => {
    let index = 0;
    for (let d = broadcast.length - 1; d >= 0; d--) {
      const size = broadcast[d] as number;
      if (padded[d] !== 1) index += (i % size) * (strides[d] as number);
      i = Math.floor(i / size);
    }
    return index;
  };
}

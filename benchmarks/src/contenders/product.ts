// One matrix product of 2-D tensors through tf.matMul, on our kernels or on stock tfjs. Answers GFLOP/s.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import { useBackend } from '@seqloom/tensor-ops';
import { serve } from '../serve.js';

interface Options {
  stock: boolean;
  M: number;
  K: number;
  N: number;
  transposeA: boolean;
  transposeB: boolean;
}

await serve(async ({ stock, M, K, N, transposeA, transposeB }: Options) => {
  if (stock) {
    await tf.setBackend('wasm');
    await tf.ready();
  } else await useBackend();
  const a = tf.randomUniform(transposeA ? [K, M] : [M, K]) as tf.Tensor2D;
  const b = tf.randomUniform(transposeB ? [N, K] : [K, N]) as tf.Tensor2D;
  return () => {
    const start = performance.now();
    tf.matMul(a, b, transposeA, transposeB).dispose();
    return (2 * M * N * K) / (performance.now() - start) / 1e6;
  };
});

// LSTM(256) over 20 steps of 64 rows, forward and backward, on our kernels.
import { LSTM } from '@seqloom/rnn';
import { useBackend, valueAndGradients } from '@seqloom/tensor-ops';
import * as tf from '@tensorflow/tfjs-core';
import { serve } from '../serve.js';

await serve(async ({ B, T, H }: { B: number; T: number; H: number }) => {
  await useBackend();
  const lstm = new LSTM({ inputSize: H, hiddenSize: H, seed: 1 });
  const x = tf.randomNormal<tf.Rank.R3>([B, T, H]);
  return () => {
    const { value, gradients } = valueAndGradients(
      () => tf.sum(lstm.forward(x).output) as tf.Scalar,
      lstm.parameters(),
    );
    value.dataSync();
    tf.dispose([value, gradients]);
  };
});

// tfjs-layers' LSTM(256) over 20 steps of 64 rows, forward and backward, on tfjs' wasm backend as it comes. Its default recurrent
// initializer needs chained ops, which tfjs' Node build leaves out.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import { registerGradients } from '@seqloom/tensor-ops';
import { layers } from '@tensorflow/tfjs-layers';
import { serve } from '../serve.js';

await serve(async ({ B, T, H }: { B: number; T: number; H: number }) => {
  registerGradients(); // tfjs' own; its Node build leaves them out
  await tf.setBackend('wasm');
  await tf.ready();
  const lstm = layers.lstm({
    units: H,
    returnSequences: true,
    inputShape: [T, H],
    recurrentInitializer: 'glorotUniform',
  });
  const x = tf.randomNormal([B, T, H]);
  const forward = () => tf.sum(lstm.apply(x) as tf.Tensor) as tf.Scalar;
  tf.tidy(() => void forward()); // makes the weights
  return () => {
    const { value, grads } = tf.variableGrads(forward);
    value.dataSync();
    tf.dispose([value, grads]);
  };
});

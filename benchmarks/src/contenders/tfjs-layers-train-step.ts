// The training step as people write it with tfjs: the model of tfjs-examples' date-conversion-attention in tfjs-layers, with
// GRU layers, on the wasm backend as it comes. An Embedding layer cannot train there (its gradient lacks a kernel), so tokens
// come as one-hot vectors through a dense layer without bias.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import { registerGradients } from '@seqloom/tensor-ops';
import { input, layers, model, type SymbolicTensor } from '@tensorflow/tfjs-layers';
import { serve } from '../serve.js';
import type { Sizes } from '../sizes.js';

await serve(async ({ B, T, V, H }: Sizes) => {
  registerGradients(); // tfjs' own; its Node build leaves them out
  await tf.setBackend('wasm');
  await tf.ready();
  const gru = { units: H, recurrentInitializer: 'glorotUniform', returnSequences: true } as const; // the default initializer needs chained ops
  const embedded = (tokens: SymbolicTensor) =>
    layers.timeDistributed({ layer: layers.dense({ units: H, useBias: false }) }).apply(tokens) as SymbolicTensor;
  const source = input({ shape: [T, V] });
  const target = input({ shape: [T, V] });
  const encoder = layers.gru({ ...gru, returnState: true });
  const [memory, last] = encoder.apply(embedded(source)) as SymbolicTensor[];
  const states = layers.gru(gru).apply(embedded(target), { initialState: last! }) as SymbolicTensor;
  const scores = layers.dot({ axes: [2, 2] }).apply([states, memory!]) as SymbolicTensor;
  const attention = layers.activation({ activation: 'softmax' }).apply(scores) as SymbolicTensor;
  const context = layers.dot({ axes: [2, 1] }).apply([attention, memory!]) as SymbolicTensor;
  const joined = layers.concatenate().apply([states, context]) as SymbolicTensor;
  const output = layers.timeDistributed({ layer: layers.dense({ units: V, activation: 'softmax' }) }).apply(joined);
  const seq2seq = model({ inputs: [source, target], outputs: output as SymbolicTensor });
  seq2seq.compile({ optimizer: new tf.AdamOptimizer(1e-3, 0.9, 0.999, 1e-7), loss: 'categoricalCrossentropy' });
  const tokens = () => {
    const ids = Int32Array.from({ length: B * T }, () => 4 + Math.floor(Math.random() * (V - 4)));
    return tf.reshape(tf.cast(tf.oneHot(tf.tensor1d(ids, 'int32'), V), 'float32'), [B, T, V]);
  };
  const [x, y, t] = [tokens(), tokens(), tokens()];
  return async () => {
    await seq2seq.trainOnBatch([x, y], t);
  };
});

// Stock tfjs' side of the training step, by hand: GRU encoder and decoder, dot attention, concat, Adam, composed of tfjs ops on
// its wasm backend as it comes. Written to be as fast as it gets there: weights lie untransposed, input products of all steps are one product, and the
// embedding's gradient (stock wasm has none) is a scatter in JavaScript, which beats the one-hot product that others use.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import { registerGradients } from '@seqloom/tensor-ops';
import { serve } from '../serve.js';

interface Sizes {
  B: number;
  T: number;
  V: number;
  H: number;
}

await serve(async ({ B, T, V, H }: Sizes) => {
  registerGradients(); // tfjs' own; its Node build leaves them out
  await tf.setBackend('wasm');
  await tf.ready();
  const weight = (shape: [number, number]) => tf.variable(tf.randomUniform(shape, -0.06, 0.06));
  const bias = (n: number) => tf.variable(tf.zeros([n])) as tf.Variable<tf.Rank.R1>;
  const gru = () => ({
    input: weight([H, 3 * H]),
    recurrent: weight([H, 3 * H]),
    biasInput: bias(3 * H),
    biasRecurrent: bias(3 * H),
  });
  const source = weight([V, H]);
  const target = weight([V, H]);
  const encoder = gru();
  const decoder = gru();
  const output = { weight: weight([2 * H, V]), bias: bias(V) };
  const ids = () =>
    tf.tensor1d(
      Int32Array.from({ length: B * T }, () => 4 + Math.floor(Math.random() * (V - 4))),
      'int32',
    );
  const [x, y, t] = [ids(), ids(), ids()];
  const labels = tf.cast(tf.oneHot(t, V), 'float32') as tf.Tensor2D;

  const embed = (table: tf.Tensor, which: tf.Tensor1D): tf.Tensor =>
    tf.customGrad((w: unknown, save: unknown) => {
      (save as tf.GradSaveFunc)([]);
      return {
        value: tf.gather(w as tf.Tensor, which),
        gradFunc: (dy: tf.Tensor) => {
          const rows = which.dataSync();
          const from = dy.dataSync();
          const sum = new Float32Array(V * H);
          for (let i = 0; i < rows.length; i++) for (let h = 0; h < H; h++) sum[rows[i]! * H + h]! += from[i * H + h]!;
          return tf.tensor2d(sum, [V, H]);
        },
      };
    })(table as tf.Variable);

  const run = (w: ReturnType<typeof gru>, inputs: tf.Tensor, initial: tf.Tensor2D): tf.Tensor2D[] => {
    const products = tf.unstack(
      tf.reshape(tf.add(tf.matMul(inputs as tf.Tensor2D, w.input as tf.Tensor2D), w.biasInput), [B, T, 3 * H]),
      1,
    );
    let h = initial;
    return products.map((product) => {
      const [xr, xz, xn] = tf.split(product, 3, 1) as [tf.Tensor, tf.Tensor, tf.Tensor];
      const [hr, hz, hn] = tf.split(tf.add(tf.matMul(h, w.recurrent as tf.Tensor2D), w.biasRecurrent), 3, 1) as [
        tf.Tensor,
        tf.Tensor,
        tf.Tensor,
      ];
      const r = tf.sigmoid(tf.add(xr, hr));
      const z = tf.sigmoid(tf.add(xz, hz));
      const n = tf.tanh(tf.add(xn, tf.mul(r, hn)));
      h = tf.add(n, tf.mul(z, tf.sub(h, n))) as tf.Tensor2D;
      return h;
    });
  };

  const optimizer = new tf.AdamOptimizer(1e-3, 0.9, 0.999, 1e-8);
  const loss = (): tf.Scalar => {
    const memory = run(encoder, embed(source, x), tf.zeros([B, H]));
    const states = tf.stack(run(decoder, embed(target, y), memory[T - 1]!), 1);
    const keys = tf.stack(memory, 1);
    const context = tf.matMul(tf.softmax(tf.matMul(states, keys, false, true)), keys);
    const joined = tf.reshape(tf.concat([states, context], 2), [B * T, 2 * H]);
    const logits = tf.add(tf.matMul(joined as tf.Tensor2D, output.weight as tf.Tensor2D), output.bias);
    return tf.neg(tf.mean(tf.sum(tf.mul(labels, tf.logSoftmax(logits)), 1))) as tf.Scalar;
  };
  return () => {
    const value = optimizer.minimize(loss, true);
    value?.dataSync();
    value?.dispose();
  };
});

import { useBackend } from '@seqloom/tensor-ops';
import { memory, randomUniform, reshape, type Tensor3D, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { GRU } from './gru.js';
import { LSTM } from './lstm.js';

beforeAll(async () => {
  await useBackend();
});

test('shapes follow layers and directions', () => {
  for (const Layer of [GRU, LSTM]) {
    const layer = new Layer({ inputSize: 3, hiddenSize: 4, numLayers: 2, bidirectional: true, seed: 1 });
    const before = memory().numTensors;
    tidy(() => {
      const { output, state } = layer.forward(randomUniform([2, 5, 3]) as Tensor3D, { lengths: [5, 2] });
      expect(output.shape).toEqual([2, 5, 8]);
      expect(state.hidden.shape).toEqual([4, 2, 4]);
    });
    expect(memory().numTensors).toBe(before);
    expect([...layer.namedParameters().keys()]).toContain('weight_hh_l1_reverse');
    layer.dispose();
  }
});

test('steps give what the sequence gives', () => {
  const gru = new GRU({ inputSize: 3, hiddenSize: 4, numLayers: 2, seed: 1 });
  tidy(() => {
    const x = randomUniform([2, 1, 3]) as Tensor3D;
    const first = gru.forward(x);
    const { output } = gru.step(reshape(x, [2, 3]), first.state);
    const again = gru.forward(x, { initialState: first.state });
    expect(output.dataSync()).toEqual(again.output.dataSync());
  });
});

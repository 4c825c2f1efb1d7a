import { valueAndGradients } from '@seqloom/tensor-ops';
import { dispose, memory } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { presets, Seq2Seq, translateBatch, useBackend } from './index.js';
import { batchOf } from './testing/copy-task.js';

beforeAll(async () => {
  await useBackend();
});

describe.each(Object.keys(presets) as (keyof typeof presets)[])('%s', (name) => {
  test('steps', async () => {
    const model = Seq2Seq.create(presets[name]({ sourceVocabulary: 12, targetVocabulary: 12, hiddenSize: 16 }));
    const before = memory().numTensors;
    const { value, gradients } = valueAndGradients(
      () =>
        model.loss(
          batchOf([
            [
              [4, 5, 6],
              [4, 5, 6],
            ],
            [[7], [7]],
          ]),
        ),
      model.parameters(),
    );
    expect(value.dataSync()[0]).toBeCloseTo(Math.log(12), 0);
    dispose([value, ...gradients]);
    expect(memory().numTensors).toBe(before);
    expect(await translateBatch(model, [[4, 5], [], [7, 8, 9]], { beam: 3, nBest: 2, maxLength: 6 })).toHaveLength(3);
    expect(memory().numTensors).toBe(before);
  });
});

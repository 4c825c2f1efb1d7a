import { clone, engine, type Tensor1D, type Tensor2D, tidy } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { gruCellOf } from './gru-sequence.js';
import { lstmCellKernel } from './lstm-sequence.js';
import type { GateBlock } from './recurrence/cell-kernel.js';
import type { RecurrentWeights } from './recurrence/inputs.js';
import { rnnCellKernel } from './rnn-sequence.js';
import { checkFloats } from './run-op.js';

/**
 * A recurrent layer's weights as they are now, once more in the layout that the sequence ops' products read: for many short calls
 * with the same weights, as in decoding. Later changes of the weights do not show. Only the wasm backend packs.
 *
 * @param cell whose op the weights are for; of the GRU, in which of its two forms
 * @param weights as the sequence op takes them
 * @returns the same for the sequence op, all its tensors to be disposed by the caller
 * @throws Error when a weight is not of floats
 */
export function packRecurrent(
  cell: 'rnn' | 'gru' | 'lstm',
  weights: RecurrentWeights,
  { resetAfter = true }: { resetAfter?: boolean } = {},
): RecurrentWeights {
  const kernel = {
    rnn: rnnCellKernel,
    gru: gruCellOf({ resetAfter }),
    lstm: lstmCellKernel,
  }[cell];
  const { weightIh, weightHh, biasIh, biasHh } = weights;
  checkFloats('packRecurrent', { weightIh, weightHh, ...(biasIh && { biasIh }), ...(biasHh && { biasHh }) });
  return tidy(() => {
    return {
      weightIh: clone(weightIh),
      weightHh: clone(weightHh),
      biasIh: biasIh && clone(biasIh),
      biasHh: biasHh && clone(biasHh),
      ...(engine().backendName === 'wasm' && {
        packedIh: packed(weightIh, weightHh.shape[1], kernel.input),
        packedHh: packed(weightHh, weightHh.shape[1], kernel.recurrent),
      }),
    };
  });
}

/** The blocks of a weight [G·H, K], each packed as the right side of a product with its transpose. */
function packed(weight: Tensor2D, H: number, blocks: GateBlock[]): Tensor1D {
  const K = weight.shape[1];
  const k = kernels();
  const bytes = blocks.map(({ count }) => k.packedBytes(K, count * H));
  const out = makeOutput([bytes.reduce((a, b) => a + b, 0) / 4], 'float32');
  let to = address(out);
  for (const [i, { first, count }] of blocks.entries()) {
    k.packB(1, address(weight) + first * H * K * 4, K, K, count * H, to);
    to += bytes[i]!;
  }
  return engine().makeTensorFromTensorInfo(out) as Tensor1D;
}

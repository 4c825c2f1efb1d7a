// y[i] = W[ids[i]] (PyTorch's nn.functional.embedding). Letters: V rows of the table, E columns.
import { engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo } from '@tensorflow/tfjs-core';
import { embeddingReference } from '../reference/embedding.js';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { checkIds } from './check-ids.js';
import { runOp } from './run-op.js';

const EMBEDDING = 'SeqloomEmbedding';

export interface EmbeddingLookupOptions {
  /** The row of this id gets no gradient. */
  paddingId?: number | undefined;
}

/**
 * y[i] = W[ids[i]]: rows of a table by id. The gradient adds up the rows of equal ids.
 *
 * @param weight [V, E]
 * @param ids int32 [...], each in [0, V)
 * @returns [..., E]
 * @throws Error when an id is outside the table, or the table not of floats
 * @see https://pytorch.org/docs/stable/generated/torch.nn.functional.embedding.html
 */
export function embedding(weight: Tensor, ids: Tensor, { paddingId }: EmbeddingLookupOptions = {}): Tensor {
  if (weight.rank !== 2) throw new Error(`embedding: weight must be [V, E]; got shape [${weight.shape}]`);
  const rows = weight.shape[0] as number;
  checkIds(ids, rows, 'embedding', 'ids');
  return runOp(EMBEDDING, { weight, ids }, { rows, paddingId: paddingId ?? -1 }, () =>
    embeddingReference(weight, ids, paddingId),
  );
}

export const embeddingKernel: KernelConfig = {
  kernelName: EMBEDDING,
  backendName: 'wasm',
  kernelFunc: ({ inputs }) => {
    const { weight, ids } = inputs as { weight: TensorInfo; ids: Tensor };
    const E = weight.shape[1] as number;
    const y = makeOutput([...ids.shape, E], 'float32');
    kernels().gatherRows(address(weight), address(ids), ids.size, E, address(y), E);
    return y;
  },
};

/** dW[id] = sum of dy over the positions that hold id. */
export const embeddingGradient: GradConfig = {
  kernelName: EMBEDDING,
  inputsToSave: ['ids'],
  gradFunc: (dy, saved, attributes) => {
    const [ids] = saved as [Tensor];
    const { rows, paddingId } = attributes as { rows: number; paddingId: number };
    return {
      weight: () => {
        const E = (dy as Tensor).shape[ids.rank] as number;
        const out = makeOutput([rows, E], 'float32');
        const k = kernels();
        k.zeroFill(address(out), rows * E);
        k.scatterAddRows(address(dy as Tensor), E, address(ids), ids.size, E, paddingId, address(out));
        return engine().makeTensorFromTensorInfo(out);
      },
    };
  },
};

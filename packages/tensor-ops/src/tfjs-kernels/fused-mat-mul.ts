import { util } from '@tensorflow/tfjs-core';
import { address } from '../wasm/heap.js';
import { batchedProduct } from './batched-product.js';
import { type Replacement, release, runKernel } from './replacement.js';

/** By tfjs' names, the numbers of kernels/activation.ts. */
const IN_EPILOGUE: Record<string, number> = { linear: 0, relu: 1, relu6: 2, sigmoid: 3, elu: 5 };

interface FusedAttributes {
  transposeA: boolean;
  transposeB: boolean;
  activation?: string;
  leakyreluAlpha?: number;
}

/** f(a b + bias). The stock kernel adds the bias once per block of the inner size when transposed or of rank 3. */
export const fusedMatMul: Replacement = {
  kernelName: '_FusedMatMul',
  run: ({ a, b, bias, preluActivationWeights }, attributes) => {
    const { transposeA, transposeB, activation = 'linear', leakyreluAlpha } = attributes as FusedAttributes;
    if (a!.dtype !== 'float32' && (bias || activation !== 'linear')) {
      throw new Error(
        `fused matMul: a and b must be of floats where there is a bias or an activation; got ${a!.dtype}`,
      );
    }
    const columns = b!.shape.at(transposeB ? -2 : -1) as number;
    const perColumn = bias !== undefined && util.sizeFromShape(bias.shape) === columns && bias.shape.at(-1) === columns;
    const afterwards = !(activation in IN_EPILOGUE) || (bias !== undefined && !perColumn);
    let y = batchedProduct(a!, b!, transposeA, transposeB, {
      bias: perColumn ? address(bias) : 0,
      activation: afterwards ? 0 : (IN_EPILOGUE[activation] as number),
    });
    if (!afterwards) return y;
    const then = (kernelName: string, inputs: Parameters<typeof runKernel>[1], more: unknown = {}) => {
      const next = runKernel(kernelName, inputs, more);
      release(y);
      y = next;
    };
    if (bias && !perColumn) then('Add', { a: y, b: bias });
    if (activation === 'prelu') {
      const alpha = runKernel('Cast', { x: preluActivationWeights! }, { dtype: 'float32' });
      then('Prelu', { x: y, alpha });
      release(alpha);
    } else if (activation === 'leakyrelu') then('LeakyRelu', { x: y }, { alpha: leakyreluAlpha });
    else if (activation !== 'linear') then(kernelOf(activation), { x: y });
    return y;
  },
};

/** relu → Relu. @throws Error for a name that is no activation of tfjs */
function kernelOf(activation: string): string {
  if (!(activation in IN_EPILOGUE)) {
    throw new Error(
      `fused matMul: activation must be one of linear, relu, relu6, sigmoid, elu, prelu, leakyrelu; got ${activation}`,
    );
  }
  return activation[0]!.toUpperCase() + activation.slice(1);
}

// Every kernel and gradient of this package, and the one place that hands them to tfjs.
import {
  type GradConfig,
  getGradient,
  getKernel,
  type KernelConfig,
  registerGradient,
  registerKernel,
  unregisterGradient,
  unregisterKernel,
} from '@tensorflow/tfjs-core';
import { additiveAttentionGradients, additiveAttentionKernels } from './ops/additive-attention.js';
import { dotAttentionGradient, dotAttentionKernel } from './ops/dot-attention.js';
import { dropoutGradient, dropoutKernel } from './ops/dropout.js';
import { embeddingGradient, embeddingKernel } from './ops/embedding.js';
import { gruSequenceGradient, gruSequenceKernel } from './ops/gru-sequence.js';
import { identityKernel } from './ops/identity.js';
import { layerNormGradient, layerNormKernel } from './ops/layer-norm.js';
import { linearGradient, linearKernel } from './ops/linear.js';
import { linearCrossEntropyGradient, linearCrossEntropyKernel } from './ops/linear-cross-entropy.js';
import { logSoftmaxGradient, logSoftmaxKernel } from './ops/log-softmax.js';
import { lstmSequenceGradient, lstmSequenceKernel } from './ops/lstm-sequence.js';
import { rnnSequenceGradient, rnnSequenceKernel } from './ops/rnn-sequence.js';
import { softmaxGradient, softmaxKernel } from './ops/softmax.js';
import { replacements } from './tfjs-kernels/index.js';
import { replace } from './tfjs-kernels/replacement.js';
import { sumGradient } from './tfjs-kernels/sum.js';

const KERNELS: KernelConfig[] = [
  identityKernel,
  layerNormKernel,
  logSoftmaxKernel,
  softmaxKernel,
  dropoutKernel,
  embeddingKernel,
  linearKernel,
  linearCrossEntropyKernel,
  gruSequenceKernel,
  lstmSequenceKernel,
  rnnSequenceKernel,
  dotAttentionKernel,
  ...additiveAttentionKernels,
];

const GRADIENTS: GradConfig[] = [
  layerNormGradient,
  logSoftmaxGradient,
  softmaxGradient,
  dropoutGradient,
  embeddingGradient,
  linearGradient,
  linearCrossEntropyGradient,
  gruSequenceGradient,
  lstmSequenceGradient,
  rnnSequenceGradient,
  dotAttentionGradient,
  ...additiveAttentionGradients,
];

let replaced: KernelConfig[] | undefined;
let replacedGradient: GradConfig | undefined;

/** Registers our ops for the wasm backend and replaces tfjs' slow and wrong kernels there. Safe to call again. */
export function registerKernels(): void {
  replaced ??= replacements.map((kernel) => replace(kernel, getKernel(kernel.kernelName, 'wasm')));
  for (const config of [...KERNELS, ...replaced]) {
    const present = getKernel(config.kernelName, config.backendName);
    if (present?.kernelFunc === config.kernelFunc) continue;
    if (present) unregisterKernel(config.kernelName, config.backendName);
    registerKernel(config);
  }
  const stock = getGradient('Sum');
  if (stock && stock !== replacedGradient) {
    replacedGradient = sumGradient(stock);
    unregisterGradient('Sum');
    registerGradient(replacedGradient);
  }
  for (const config of GRADIENTS) {
    if (!getGradient(config.kernelName)) registerGradient(config);
  }
}

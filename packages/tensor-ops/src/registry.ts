// Every kernel and gradient of this package, and the one place that hands them to tfjs.
import {
  type GradConfig,
  getGradient,
  getKernel,
  type KernelConfig,
  registerGradient,
  registerKernel,
  unregisterKernel,
} from '@tensorflow/tfjs-core';
import { additiveAttentionGradients, additiveAttentionKernels } from './ops/additive-attention.js';
import { dotAttentionGradient, dotAttentionKernel } from './ops/dot-attention.js';
import { dropoutGradient, dropoutKernel } from './ops/dropout.js';
import { embeddingGradient, embeddingKernel } from './ops/embedding.js';
import { linearGradient, linearKernel } from './ops/linear.js';

const KERNELS: KernelConfig[] = [
  dropoutKernel,
  embeddingKernel,
  linearKernel,
  dotAttentionKernel,
  ...additiveAttentionKernels,
];

const GRADIENTS: GradConfig[] = [
  dropoutGradient,
  embeddingGradient,
  linearGradient,
  dotAttentionGradient,
  ...additiveAttentionGradients,
];

/** Registers our ops for the wasm backend and replaces tfjs' slow and wrong kernels there. Safe to call again. */
export function registerKernels(): void {
  for (const config of KERNELS) {
    const present = getKernel(config.kernelName, config.backendName);
    if (present?.kernelFunc === config.kernelFunc) continue;
    if (present) unregisterKernel(config.kernelName, config.backendName);
    registerKernel(config);
  }
  for (const config of GRADIENTS) {
    if (!getGradient(config.kernelName)) registerGradient(config);
  }
}

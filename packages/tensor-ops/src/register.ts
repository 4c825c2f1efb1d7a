// The entry for any tfjs program, tfjs-layers included: `import '@seqloom/tensor-ops/register'` adds the gradients that tfjs'
// Node build leaves out and puts our kernels in place of those of its wasm backend, before that is started or after.
// It chooses no backend: that stays the program's `await tf.setBackend('wasm')`. Kernels are compiled at their first use.
import '@tensorflow/tfjs-backend-wasm';
import { env } from '@tensorflow/tfjs-core';
import { registerKernels } from './registry.js';
import { registerGradients } from './tfjs-gradients.js';

env().set('WASM_HAS_MULTITHREAD_SUPPORT', false); // tfjs' threaded build keeps tensors in another memory
registerGradients();
registerKernels();

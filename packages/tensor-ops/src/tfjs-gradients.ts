import { getGradient, registerGradient } from '@tensorflow/tfjs-core';
import { gradConfigs } from './tfjs-gradients.generated.js';

/** tfjs' own gradients, which its Node build leaves out; those already registered stay. */
export function registerGradients(): void {
  for (const config of gradConfigs) {
    if (!getGradient(config.kernelName)) registerGradient(config);
  }
}

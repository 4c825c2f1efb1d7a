import { engine, tensor, tidy } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';

/**
 * Gives a parameter memory of its own where a clone or a reshape shares it, so that those keep their values when the parameter
 * is changed in place.
 */
export function ownMemory(parameter: Parameter): void {
  if (engine().backend.refCount(parameter.dataId) === 1) return;
  tidy(() => parameter.assign(tensor(parameter.dataSync().slice(), parameter.shape, 'float32')));
}

import type { Tensor } from '@tensorflow/tfjs-core';

/**
 * The ids of an int32 tensor on the host, each in [0, size) or equal to `except`.
 *
 * @throws Error naming `caller`, the dtype or the first id outside
 */
export function checkIds(ids: Tensor, size: number, caller: string, what: string, except?: number): Int32Array {
  if (ids.dtype !== 'int32') throw new Error(`${caller}: ${what} must be int32; got ${ids.dtype}`);
  const values = ids.dataSync<'int32'>() as Int32Array;
  for (let i = 0; i < values.length; i++) {
    const id = values[i] as number;
    if ((id < 0 || id >= size) && id !== except) {
      throw new Error(`${caller}: ${what} must be in [0, ${size}); got ${id} at position ${i}`);
    }
  }
  return values;
}

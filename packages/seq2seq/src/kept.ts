import { type Tensor, type TensorContainer, tensor_util, tidy } from '@tensorflow/tfjs-core';

/** tfjs' tidy for values that hold tensors anywhere, null allowed: those stay, everything else made on the way is freed. */
export function kept<T>(make: () => T): T {
  return tidy(make as () => TensorContainer) as T;
}

/** Every tensor in a value, once. */
export function tensorsIn(value: unknown): Tensor[] {
  return tensor_util.getTensorsInContainer(value as TensorContainer);
}

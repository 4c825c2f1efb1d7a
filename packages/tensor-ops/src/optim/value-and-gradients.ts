import { engine, type Scalar, type Tensor, tidy, zerosLike } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';
import { backpropagate, nextId } from './backpropagate.js';

/** A loss and its gradient by every parameter. The caller disposes them. */
export interface ValueAndGradients {
  value: Scalar;
  /** In the order of the parameters; zeros where the value does not depend on one. Each owns its memory. */
  gradients: Tensor[];
}

/**
 * f() and ∂f/∂p for every parameter p. Nothing else stays behind, not even when `f` throws.
 *
 * @param f returns a scalar made of the parameters by differentiable ops
 * @param parameters what to differentiate by
 * @throws Error when f() is not a scalar, inside the forward function of a `tf.customGrad`, and whatever f throws
 * @example
 * const layer = new Linear({ inputSize: 2, outputSize: 1, seed: 1 });
 * const { gradients } = valueAndGradients(() => tf.sum(layer.forward(tf.ones([3, 2]))), layer.parameters());
 * console.log(gradients[1].dataSync()[0]); // → 3
 */
export function valueAndGradients(f: () => Scalar, parameters: Parameter[]): ValueAndGradients {
  if (parameters.length === 0) throw new Error('valueAndGradients: there must be at least one parameter; got none');
  if (engine().state.kernelDepth > 0) {
    throw new Error(
      'valueAndGradients: inside the forward function of a tf.customGrad tfjs records no ops; take it outside',
    );
  }
  const first = nextId();
  const kept = tidy(() => {
    const { value, gradients } = backpropagate(() => checkedScalar(f()), parameters);
    return [
      value,
      ...owned(
        parameters.map((parameter, i) => gradients[i] ?? zerosLike(parameter)),
        first,
      ),
    ];
  });
  const [value, ...gradients] = kept as [Scalar, ...Tensor[]];
  return { value, gradients };
}

function checkedScalar(value: Scalar): Scalar {
  if (value.rank !== 0) {
    throw new Error(`valueAndGradients: f must return a scalar; got shape [${(value as Tensor).shape}]`);
  }
  return value;
}

/** The tape may hand out one memory several times (the gradients of a sum are one tensor), or what was there before: such are copied. */
function owned(gradients: Tensor[], first: number): Tensor[] {
  const { backend } = engine();
  const taken = new Set<object>();
  return gradients.map((gradient) => {
    const shared = gradient.id < first || taken.has(gradient.dataId) || backend.refCount(gradient.dataId) > 1;
    const own = shared ? copyOf(gradient) : gradient;
    taken.add(own.dataId);
    return own;
  });
}

function copyOf(x: Tensor): Tensor {
  return engine().makeTensor(x.dataSync().slice(), x.shape, x.dtype) as Tensor;
}

// Output layer and loss in one. Letters: N rows, I inputs, V classes.
import { customGrad, engine, type GradSaveFunc, type Scalar, scalar, type Tensor } from '@tensorflow/tfjs-core';
import { crossEntropyReference } from '../reference/cross-entropy.js';
import { linearReference } from '../reference/linear.js';
import { makeOutput } from '../wasm/heap.js';
import { type CrossEntropyOptions, planCrossEntropy, scaled } from './cross-entropy.js';
import { runLogitBlocks } from './logit-blocks.js';
import { requireBackend } from './run-op.js';

/**
 * L = crossEntropy(x Wᵀ + b, targets), without the [N, V] logits ever existing as a whole, and nothing computed for ignored rows.
 * While tfjs records, the gradients of x, W and b are computed along with the loss.
 *
 * @param x [N, I]
 * @param weight [V, I], as PyTorch stores it
 * @param bias [V], or undefined
 * @param targets int32 [N], each in [0, V) or `ignoreId`
 * @returns a scalar
 * @throws Error on shapes that do not fit, on targets outside the classes and on a divisor that is not above 0
 */
export function linearCrossEntropy(
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  targets: Tensor,
  options: CrossEntropyOptions = {},
): Scalar {
  checkLinearShapes('linearCrossEntropy', x, weight, bias, targets);
  const plan = planCrossEntropy(targets, weight.shape[0] as number, options, 'linearCrossEntropy');
  if (requireBackend('linearCrossEntropy') !== 'wasm') {
    return crossEntropyReference(linearReference(x, weight, bias), targets, plan);
  }
  const recorded = engine().isTapeOn();
  const inputs: Tensor[] = bias ? [x, weight, bias] : [x, weight];
  const op = customGrad((...parts) => {
    const save = parts.at(-1) as GradSaveFunc;
    const kept = recorded ? inputs.map(({ shape }) => tensorOf(shape)) : [];
    const [dx, dw, db] = kept;
    const gradients = dx && dw ? { x: dx, weight: dw, bias: db } : null;
    const { loss } = runLogitBlocks({ x, weight, bias }, plan, gradients);
    save(kept);
    const gradFunc = (dy: Tensor, saved: Tensor[]) => saved.map((gradient) => scaled(gradient, dy));
    return { value: scalar(loss * plan.scale), gradFunc };
  });
  return op(...inputs) as Scalar;
}

/** @throws Error naming `caller` when the sizes of a linear layer and its targets do not fit */
export function checkLinearShapes(
  caller: string,
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  targets: Tensor,
): void {
  const [[N, I], [V]] = [x.shape, weight.shape];
  const fits =
    x.rank === 2 && weight.shape.join() === `${V},${I}` && targets.shape.join() === `${N}` && (bias?.size ?? V) === V;
  if (fits) return;
  const got = [x, weight, targets, ...(bias ? [bias] : [])].map(({ shape }) => `[${shape}]`).join(', ');
  throw new Error(`${caller}: x must be [N, I], weight [V, I], targets [N] and bias [V]; got ${got}`);
}

function tensorOf(shape: number[]): Tensor {
  return engine().makeTensorFromTensorInfo(makeOutput(shape, 'float32'));
}

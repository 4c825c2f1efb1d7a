// Output layer and loss in one. Letters: N rows, I inputs, V classes.
import {
  engine,
  type GradConfig,
  type KernelConfig,
  type NamedAttrMap,
  type NamedTensorMap,
  reshape,
  type Scalar,
  type Tensor,
  type Tensor2D,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { crossEntropyReference } from '../reference/cross-entropy.js';
import { linearReference } from '../reference/linear.js';
import { address, heapBytes, makeOutput } from '../wasm/heap.js';
import { type CrossEntropyOptions, type CrossEntropyPlan, planCrossEntropy, scaled } from './cross-entropy.js';
import { type LinearParts, runLogitBlocks } from './logit-blocks.js';
import { rowsOf } from './rows-of.js';
import { checkFloats, forGradient, runOp } from './run-op.js';

const LINEAR_CROSS_ENTROPY = 'SeqloomLinearCrossEntropy';

interface Attributes {
  plan: CrossEntropyPlan;
  /** Whether a gradient may be asked for. */
  keep: boolean;
  /** Of the inputs. */
  shapes: { [input: string]: number[] };
}

/**
 * L = crossEntropy(x Wᵀ + b, targets), without the [N, V] logits ever existing as a whole, and nothing computed for ignored rows.
 * While tfjs records, the gradients of x, W and b are computed along with the loss.
 *
 * @param x [..., I], N rows of I
 * @param weight [V, I], as PyTorch stores it
 * @param bias [V], or undefined
 * @param targets int32 [N], each in [0, V) or `ignoreId`
 * @returns a scalar
 * @throws Error on shapes that do not fit, on tensors not of floats, on targets outside the classes and on a divisor that is not above 0
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
  const inputs: NamedTensorMap = bias ? { x, weight, bias } : { x, weight };
  const shapes = Object.fromEntries(Object.entries(inputs).map(([name, { shape }]) => [name, shape]));
  const attributes: Attributes = { plan, keep: engine().isTapeOn(), shapes };
  const [loss] = runOp<Tensor[]>(LINEAR_CROSS_ENTROPY, inputs, attributes as unknown as NamedAttrMap, () => [
    crossEntropyReference(logitsReference(x, weight, bias), targets, plan),
  ]);
  return loss as Scalar;
}

/** The loss and, where they have to stay, the gradients of the inputs. */
export const linearCrossEntropyKernel: KernelConfig = {
  kernelName: LINEAR_CROSS_ENTROPY,
  backendName: 'wasm',
  kernelFunc: ({ inputs, attrs }) => {
    const { plan, keep, shapes } = attrs as unknown as Attributes;
    const value = makeOutput([], 'float32');
    const parts = inputs as unknown as LinearParts;
    const gradients = keep ? Object.values(shapes).map((shape) => makeOutput(shape, 'float32')) : [];
    const [x, weight, bias] = gradients;
    const { loss } = runLogitBlocks(parts, plan, x && weight ? { x, weight, bias } : null);
    new Float32Array(heapBytes().buffer, address(value), 1)[0] = loss * plan.scale;
    return [value, ...gradients.map(forGradient)];
  },
};

export const linearCrossEntropyGradient: GradConfig = {
  kernelName: LINEAR_CROSS_ENTROPY,
  outputsToSave: [false, true, true, true],
  gradFunc: (dy, saved, attrs) => {
    const [dLoss] = dy as Tensor[];
    const { shapes } = attrs as unknown as Attributes;
    const gradient = ([name, shape]: [string, number[]], i: number) => {
      const whole: TensorInfo = { dataId: saved[i]!.dataId, dtype: 'float32', shape };
      return [name, () => scaled(whole, dLoss!)] as const;
    };
    return Object.fromEntries(Object.entries(shapes).map(gradient));
  },
};

/** x Wᵀ + b [N, V] composed of tfjs ops. */
export function logitsReference(x: Tensor, weight: Tensor, bias: Tensor | undefined): Tensor2D {
  return reshape(linearReference(x, weight, bias), [rowsOf(x), weight.shape[0]!]);
}

/** @throws Error naming `caller` when the sizes of a linear layer and its targets do not fit, or its tensors are not of floats */
export function checkLinearShapes(
  caller: string,
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  targets: Tensor,
): void {
  checkFloats(caller, { x, weight, ...(bias && { bias }) });
  const [I, [V]] = [x.shape.at(-1), weight.shape];
  const fits =
    x.rank > 1 &&
    weight.shape.join() === `${V},${I}` &&
    targets.shape.join() === `${rowsOf(x)}` &&
    (bias?.size ?? V) === V;
  if (fits) return;
  const got = [x, weight, targets, ...(bias ? [bias] : [])].map(({ shape }) => `[${shape}]`).join(', ');
  throw new Error(`${caller}: x must be [..., I], N rows, weight [V, I], targets [N] and bias [V]; got ${got}`);
}

// Negative log-likelihood of targets under softmax(logits) (PyTorch's nn.functional.cross_entropy). Letters: N rows, V classes.
import {
  customGrad,
  engine,
  type GradSaveFunc,
  type Scalar,
  scalar,
  type Tensor,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { crossEntropyReference } from '../reference/cross-entropy.js';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { checkIds } from './check-ids.js';
import { checkFloats, requireBackend } from './run-op.js';

export interface CrossEntropyOptions {
  /** Rows with this target count for nothing, whatever else it may be (often the padding id, or -100). */
  ignoreId?: number;
  /** Share of the target's probability spread evenly over all classes, in [0, 1). */
  labelSmoothing?: number;
  /** Over the rows that are not ignored; 'mean' by default, and zero when there is none. */
  reduction?: 'mean' | 'sum';
  /** What the sum is divided by in place of a reduction: for a batch that comes in parts. */
  divisor?: number;
}

/** What the options say about these targets. */
export interface CrossEntropyPlan {
  targets: Int32Array;
  ignoreId: number;
  smoothing: number;
  /** Factor of every row's loss: one over the rows that count, or over the divisor, or 1. */
  scale: number;
}

const NONE_IGNORED = -0x80000000;

/**
 * L = -Σ_v q_v log softmax(logits)_v with q = (1-ε) onehot(target) + ε/V, averaged or summed over the rows.
 *
 * @param logits [N, V], of any size: the maximum is subtracted first
 * @param targets int32 [N], each in [0, V) or `ignoreId`
 * @returns a scalar
 * @throws Error on shapes that do not fit, on logits not of floats, on targets outside the classes and on a divisor that is not above 0
 * @see https://pytorch.org/docs/stable/generated/torch.nn.functional.cross_entropy.html
 */
export function crossEntropy(logits: Tensor, targets: Tensor, options: CrossEntropyOptions = {}): Scalar {
  if (logits.rank !== 2 || targets.rank !== 1 || logits.shape[0] !== targets.shape[0]) {
    throw new Error(
      `crossEntropy: logits must be [N, V] and targets [N]; got [${logits.shape}] and [${targets.shape}]`,
    );
  }
  checkFloats('crossEntropy', { logits });
  const plan = planCrossEntropy(targets, logits.shape[1] as number, options, 'crossEntropy');
  if (requireBackend('crossEntropy') !== 'wasm') return crossEntropyReference(logits, targets, plan);
  const recorded = engine().isTapeOn();
  return customGrad((input, save) => {
    const gradient = recorded ? makeOutput(logits.shape, 'float32') : null;
    const loss = lossAndGradient(input as Tensor, targets, plan, gradient ? address(gradient) : 0);
    if (gradient) (save as GradSaveFunc)([engine().makeTensorFromTensorInfo(gradient)]);
    return { value: scalar(loss), gradFunc: (dy, [saved]) => scaled(saved as Tensor, dy) };
  })(logits) as Scalar;
}

/** Checks options and targets. @throws Error naming `caller` */
export function planCrossEntropy(
  targets: Tensor,
  classes: number,
  { ignoreId = NONE_IGNORED, labelSmoothing = 0, reduction = 'mean', divisor }: CrossEntropyOptions,
  caller: string,
): CrossEntropyPlan {
  if (!(labelSmoothing >= 0 && labelSmoothing < 1)) {
    throw new Error(`${caller}: labelSmoothing must be in [0, 1); got ${labelSmoothing}`);
  }
  const ids = checkIds(targets, classes, caller, 'targets', ignoreId);
  const counted = ids.reduce((count, id) => count + (id === ignoreId ? 0 : 1), 0);
  if (divisor !== undefined && !(divisor > 0)) throw new Error(`${caller}: divisor must be above 0; got ${divisor}`);
  const whole = divisor ?? (reduction === 'sum' ? 1 : counted);
  const scale = whole === 0 ? 0 : 1 / whole;
  return { targets: ids, ignoreId, smoothing: labelSmoothing, scale };
}

/** The loss; its gradient is written at the address `gradient` unless that is 0. */
function lossAndGradient(logits: Tensor, targets: Tensor, plan: CrossEntropyPlan, gradient: number): number {
  const [N, V] = logits.shape as [number, number];
  const { smoothing, scale, ignoreId } = plan;
  const sum = kernels().crossEntropyRows(address(logits), gradient, address(targets), N, V, smoothing, scale, ignoreId);
  return sum * scale;
}

/** gradient * dy for a scalar dy; for 1 the same memory. */
export function scaled(gradient: TensorInfo, dy: Tensor): Tensor {
  const [factor] = dy.dataSync();
  if (factor === 1) {
    engine().backend.incRef(gradient.dataId);
    return engine().makeTensorFromTensorInfo(gradient);
  }
  const out = engine().makeTensorFromTensorInfo(makeOutput(gradient.shape, 'float32'));
  kernels().scaleBy(address(gradient), address(out), out.size, factor as number);
  return out;
}

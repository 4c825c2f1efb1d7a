import { argMax, cast, equal, logicalAnd, notEqual, sum, type Tensor, tidy } from '@tensorflow/tfjs-core';
import { crossEntropyReference } from '../reference/cross-entropy.js';
import { type CrossEntropyOptions, planCrossEntropy } from './cross-entropy.js';
import { checkLinearShapes, logitsReference } from './linear-cross-entropy.js';
import { runLogitBlocks } from './logit-blocks.js';
import { requireBackend } from './run-op.js';

/** Sums over the rows that are not ignored. (A type, as tfjs' tidy hands on no interface.) */
export type TargetScores = {
  loss: number;
  /** Rows whose target has the (first) largest logit. */
  correct: number;
  rows: number;
};

/**
 * What an evaluation adds up over batches: Σ cross-entropy(x Wᵀ + b) and how often the target has the largest logit; without
 * gradients, and without the [N, V] logits ever existing as a whole.
 *
 * @param x [..., I], N rows of I
 * @param weight [V, I]
 * @param bias [V], or undefined
 * @param targets int32 [N], each in [0, V) or `ignoreId`
 * @throws Error on shapes that do not fit, on tensors not of floats and on targets outside the classes
 */
export function scoreTargets(
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  targets: Tensor,
  options: Omit<CrossEntropyOptions, 'reduction' | 'divisor'> = {},
): TargetScores {
  checkLinearShapes('scoreTargets', x, weight, bias, targets);
  const plan = planCrossEntropy(targets, weight.shape[0] as number, { ...options, reduction: 'sum' }, 'scoreTargets');
  const rows = plan.targets.reduce((count, id) => count + (id === plan.ignoreId ? 0 : 1), 0);
  if (requireBackend('scoreTargets') === 'wasm') {
    return { ...runLogitBlocks({ x, weight, bias }, plan, null), rows };
  }
  return tidy(() => {
    const logits = logitsReference(x, weight, bias);
    const loss = crossEntropyReference(logits, targets, plan).dataSync()[0] as number;
    const hits = logicalAnd(equal(argMax(logits, 1), targets), notEqual(targets, plan.ignoreId));
    return { loss, correct: sum(cast(hits, 'int32')).dataSync()[0] as number, rows };
  });
}

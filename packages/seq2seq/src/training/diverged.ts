import type { Batch } from '../batch.js';

/** Training that cannot go on: a loss or gradient that is no number, or a loss far above blind guessing. Weights are as before the step. */
export class TrainingDiverged extends Error {
  override readonly name = 'TrainingDiverged';

  constructor(
    readonly step: number,
    readonly loss: number,
    readonly gradientNorm: number,
    /** Places in the data of the rows of the step's batches, where the batches say them. */
    readonly indices: number[],
  ) {
    super(
      `train: step ${step} has loss ${loss} and gradient norm ${gradientNorm}${rowsNamed(indices)}; the weights are those of step ${step - 1}. ` +
        'Try a lower learning rate, more warm-up steps, or a lower clipNorm',
    );
  }
}

function rowsNamed(indices: number[]): string {
  if (indices.length === 0) return '';
  return ` on rows ${indices.slice(0, 8).join(', ')}${indices.length > 8 ? ` and ${indices.length - 8} more` : ''}`;
}

/** What a step came to. */
export interface StepOutcome {
  step: number;
  loss: number;
  gradientNorm: number;
  group: readonly Batch[];
  reduction: 'token' | 'sentence';
  config: { targetVocabulary: number };
}

/** Blind guessing costs ln V a token: a loss of ten times that is no longer learning. @throws TrainingDiverged */
export function refuseDivergence({ step, loss, gradientNorm, group, reduction, config }: StepOutcome): void {
  const tokensEach = reduction === 'token' ? 1 : Math.max(1, ...group.flatMap((batch) => [...batch.targetLengths]));
  const limit = 10 * Math.log(config.targetVocabulary) * tokensEach;
  if (Number.isFinite(gradientNorm) && loss <= limit) return;
  const indices = group.flatMap((batch) => [...(batch.indices ?? [])]);
  throw new TrainingDiverged(step, loss, gradientNorm, indices);
}

// Learning rates as functions of the step. Steps count from 1: the first update asks for rate(1). Every schedule but the
// plateau is a pure function, so resuming needs nothing but the step. Warm-up climbs in a line: peak · step / warmUpSteps.

/** The learning rate of a step, counted from 1. */
export type Schedule = (step: number) => number;

export interface WarmUpOptions {
  /** The peak, reached when the warm-up ends. */
  learningRate: number;
  /** Steps of the climb; none by default. */
  warmUpSteps?: number;
}

/** peak, after the warm-up. */
export function constantSchedule({ learningRate, warmUpSteps = 0 }: WarmUpOptions): Schedule {
  return warmedUp('constantSchedule', learningRate, warmUpSteps, () => learningRate);
}

/**
 * peak · √(warmUpSteps / step) after the warm-up.
 *
 * @see Vaswani et al. 2017, section 5.3
 * @throws Error without a warm-up
 */
export function inverseSquareRootSchedule({ learningRate, warmUpSteps }: Required<WarmUpOptions>): Schedule {
  if (!(warmUpSteps >= 1))
    throw new Error(`inverseSquareRootSchedule: warmUpSteps must be 1 or more; got ${warmUpSteps}`);
  const falling: Schedule = (step) => learningRate * Math.sqrt(warmUpSteps / step);
  return warmedUp('inverseSquareRootSchedule', learningRate, warmUpSteps, falling);
}

export interface CosineScheduleOptions extends WarmUpOptions {
  /** The last step, at which the final rate is reached and after which it stays. */
  totalSteps: number;
  /** The final rate as a share of the peak; 0 by default. */
  finalShare?: number;
}

/**
 * From the peak along half a cosine to the final rate.
 *
 * @see Loshchilov and Hutter 2017
 */
export function cosineSchedule({
  learningRate,
  warmUpSteps = 0,
  totalSteps,
  finalShare = 0,
}: CosineScheduleOptions): Schedule {
  const fall = progress('cosineSchedule', warmUpSteps, totalSteps);
  const falling: Schedule = (step) => {
    return learningRate * (finalShare + (1 - finalShare) * 0.5 * (1 + Math.cos(Math.PI * fall(step))));
  };
  return warmedUp('cosineSchedule', learningRate, warmUpSteps, falling);
}

export interface LinearScheduleOptions extends CosineScheduleOptions {
  /** Steps at the peak after the warm-up, before the fall begins; none by default. */
  constantSteps?: number;
}

/** Warm-up, the peak for `constantSteps`, then in a line to the final rate. */
export function linearSchedule(options: LinearScheduleOptions): Schedule {
  const { learningRate, warmUpSteps = 0, constantSteps = 0, totalSteps, finalShare = 0 } = options;
  const fall = progress('linearSchedule', warmUpSteps + constantSteps, totalSteps);
  const falling: Schedule = (step) => learningRate * (1 + (finalShare - 1) * fall(step));
  return warmedUp('linearSchedule', learningRate, warmUpSteps, falling);
}

export interface ExponentialScheduleOptions extends WarmUpOptions {
  /** Factor on the rate every `decaySteps` steps, in (0, 1]. */
  decayRate: number;
  decaySteps?: number;
}

/** peak · decayRate^((step - warmUpSteps) / decaySteps) after the warm-up. */
export function exponentialSchedule({
  learningRate,
  warmUpSteps = 0,
  decayRate,
  decaySteps = 1,
}: ExponentialScheduleOptions): Schedule {
  if (!(decayRate > 0 && decayRate <= 1))
    throw new Error(`exponentialSchedule: decayRate must be in (0, 1]; got ${decayRate}`);
  if (!(decaySteps > 0)) throw new Error(`exponentialSchedule: decaySteps must be above 0; got ${decaySteps}`);
  const falling: Schedule = (step) => learningRate * decayRate ** ((step - warmUpSteps) / decaySteps);
  return warmedUp('exponentialSchedule', learningRate, warmUpSteps, falling);
}

function warmedUp(name: string, learningRate: number, warmUpSteps: number, after: Schedule): Schedule {
  if (!(learningRate >= 0)) throw new Error(`${name}: learningRate must be 0 or more; got ${learningRate}`);
  if (!(warmUpSteps >= 0)) throw new Error(`${name}: warmUpSteps must be 0 or more; got ${warmUpSteps}`);
  return (step) => (step <= warmUpSteps ? (learningRate * step) / warmUpSteps : after(step));
}

/** How much of the way from `start` to `end` a step has gone, in [0, 1]. */
function progress(name: string, start: number, end: number): Schedule {
  if (!(end > start))
    throw new Error(`${name}: totalSteps must be above the ${start} steps before the fall; got ${end}`);
  return (step) => Math.min(1, Math.max(0, (step - start) / (end - start)));
}

// The learning rate over time, as the settings name it.
import {
  constantSchedule,
  cosineSchedule,
  exponentialSchedule,
  inverseSquareRootSchedule,
  linearSchedule,
  Plateau,
  type Schedule,
} from '@seqloom/tensor-ops';
import { z } from 'zod';
import { ConfigError } from '../config/parse.js';
import type { TrainSettings } from './options.js';

const steps = z.int().min(0);
const share = z.number().min(0).max(1);

export const scheduleSchema = z.strictObject({
  name: z
    .enum(['constant', 'linear', 'cosine', 'inverse-square-root', 'exponential', 'plateau'])
    .default('constant')
    .describe('How the learning rate falls after warming up.'),
  warmUpSteps: steps.default(0).describe('Steps in which the rate rises from zero in a line.'),
  constantSteps: steps.optional().describe('linear: steps at the full rate before it falls; default 0.'),
  totalSteps: z
    .int()
    .min(1)
    .optional()
    .describe('linear, cosine: the step at which the last rate is reached; default: steps.'),
  finalShare: share.optional().describe('linear, cosine: the last rate as a share of the full one; default 0.'),
  decayRate: z.number().gt(0).max(1).optional().describe('exponential: factor on the rate every decaySteps steps.'),
  decaySteps: z.int().min(1).optional().describe('exponential: see decayRate; default 1.'),
  factor: z.number().gt(0).lt(1).optional().describe('plateau: factor on the rate when nothing improves; default 0.5.'),
  patience: steps.optional().describe('plateau: validations without improvement that are put up with; default 2.'),
  minimumRate: z.number().min(0).optional().describe('plateau: the rate never falls below; default 0.'),
});

/** The rate at each step, and what a plateau remembers. */
export interface LearningRate {
  at: Schedule;
  /** Tells the monitored measure of a validation. */
  observe(measure: number): void;
  /** What must be kept to go on later; plain JSON. */
  plateau: Plateau | null;
}

const OPTIONS_OF = {
  constant: [],
  linear: ['constantSteps', 'totalSteps', 'finalShare'],
  cosine: ['totalSteps', 'finalShare'],
  'inverse-square-root': [],
  exponential: ['decayRate', 'decaySteps'],
  plateau: ['factor', 'patience', 'minimumRate'],
} as const;

/** @throws ConfigError naming an option that the schedule does not have, or lacks */
export function learningRate({ schedule, optimizer, steps, monitor }: TrainSettings): LearningRate {
  const { name, warmUpSteps, ...options } = schedule;
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined && !(OPTIONS_OF[name] as readonly string[]).includes(key)) {
      throw new ConfigError(`train options: schedule.${key} does not belong to schedule ${name}; got ${value}`);
    }
  }
  const { learningRate } = optimizer;
  const warmed = { learningRate, warmUpSteps };
  if (name === 'plateau') return plateauRate(schedule, learningRate, monitor.goal);
  const at = () => {
    const { totalSteps = steps, constantSteps = 0, finalShare = 0, decayRate, decaySteps = 1 } = options;
    if (name === 'constant') return constantSchedule(warmed);
    if (name === 'inverse-square-root') return inverseSquareRootSchedule(warmed);
    if (name === 'exponential')
      return exponentialSchedule({ ...warmed, decayRate: needed('decayRate', decayRate), decaySteps });
    const falling = { ...warmed, totalSteps: needed('totalSteps', totalSteps), finalShare };
    return name === 'cosine' ? cosineSchedule(falling) : linearSchedule({ ...falling, constantSteps });
  };
  return { at: at(), observe: () => {}, plateau: null };

  function needed(key: string, value: number | undefined): number {
    if (value === undefined) throw new ConfigError(`train options: schedule ${name} needs ${key}; got nothing`);
    return value;
  }
}

function plateauRate(
  { warmUpSteps, factor = 0.5, patience = 2, minimumRate = 0 }: TrainSettings['schedule'],
  peak: number,
  mode: 'min' | 'max',
): LearningRate {
  const plateau = new Plateau({ learningRate: peak, factor, patience, minimum: minimumRate, mode });
  return {
    at: (step) => plateau.learningRate * Math.min(1, step / Math.max(1, warmUpSteps)),
    observe: (measure) => plateau.observe(measure),
    plateau,
  };
}

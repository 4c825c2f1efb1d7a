// What a training run may be told, as plain JSON.
import { z } from 'zod';
import { scheduleSchema } from './schedule.js';
import { scheduledSamplingSchema } from './scheduled-sampling.js';

const share = z.number().min(0).lt(1);
const count = z.int().min(1);

export const optimizerSchema = z.strictObject({
  name: z.enum(['adam', 'adamw', 'sgd']).default('adam').describe("PyTorch's optimizers, number for number."),
  learningRate: z.number().positive().default(1e-3).describe('Learning rate; the schedule multiplies it.'),
  betas: z.tuple([share, share]).optional().describe('adam, adamw: decay of the two moments; default 0.9, 0.999.'),
  epsilon: z.number().min(0).optional().describe('adam, adamw: added to the denominator; default 1e-8.'),
  weightDecay: z.number().min(0).optional().describe('L2 penalty, decoupled with adamw; default 0, adamw 0.01.'),
  momentum: share.optional().describe('sgd: momentum; default 0.'),
});

/** The options of `train` that are plain JSON. */
export const trainOptionsSchema = z.strictObject({
  optimizer: optimizerSchema.prefault({}).describe('How gradients move the weights.'),
  schedule: scheduleSchema.prefault({}).describe('The learning rate over time.'),
  steps: count.optional().describe('Stop after so many optimizer steps.'),
  epochs: count
    .optional()
    .describe('Stop after so many passes over the batches; default 1 where nothing else ends the run.'),
  maxSeconds: z.number().positive().optional().describe('Stop after so much time.'),
  clipNorm: z
    .number()
    .positive()
    .nullable()
    .default(1)
    .describe('Largest global norm of the gradient; null: no clipping.'),
  labelSmoothing: share.default(0).describe('Share of the target probability that is spread over the vocabulary.'),
  coverageLoss: z
    .number()
    .min(0)
    .default(0)
    .describe('λ of the loss for attending twice to a source token; needs attention.'),
  reduction: z.enum(['token', 'sentence']).default('token').describe('What the loss is a mean over.'),
  accumulate: count.default(1).describe('Batches whose gradients make one step.'),
  workers: count.default(1).describe('Threads, each with a part of every batch; more than 1 in Node only.'),
  movingAverage: share
    .nullable()
    .default(null)
    .describe('Decay of an average of the weights, used to validate and save; null: none.'),
  scheduledSampling: scheduledSamplingSchema
    .nullable()
    .default(null)
    .describe('Lets the decoder read its own guesses; null: never.'),
  validateEvery: z
    .union([z.literal('epoch'), count])
    .default('epoch')
    .describe('Validate after every epoch, or every so many steps.'),
  monitor: z
    .strictObject({
      metric: z.string().default('loss').describe('The measure among those that `validate` returns.'),
      goal: z.enum(['min', 'max']).default('min').describe('Whether smaller or larger is better.'),
      patience: count
        .nullable()
        .default(null)
        .describe('Stop after so many validations without a better one; null: never.'),
    })
    .prefault({})
    .describe('What decides which checkpoint is the best.'),
  seed: z.int().default(1).describe('Seed of dropout and scheduled sampling.'),
});

export type TrainSettings = z.output<typeof trainOptionsSchema>;

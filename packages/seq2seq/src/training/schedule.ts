import { z } from 'zod';

export const scheduleSchema = z.strictObject({
  name: z.enum(['constant']).default('constant').describe('How the learning rate falls after warming up.'),
  warmupSteps: z.int().min(0).default(0).describe('Steps in which the rate rises from zero.'),
});

export type ScheduleSettings = z.output<typeof scheduleSchema>;

/** What the learning rate is multiplied by at a step (from 1). */
export function scheduleFactor({ warmupSteps }: ScheduleSettings, step: number): number {
  return step < warmupSteps ? step / warmupSteps : 1;
}

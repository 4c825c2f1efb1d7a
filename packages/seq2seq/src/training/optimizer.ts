import { Adam, AdamW, type Optimizer, type Parameter } from '@seqloom/tensor-ops';
import type { TrainSettings } from './options.js';

/** The optimizer that the settings name. */
export function createOptimizer(parameters: Parameter[], { name, ...settings }: TrainSettings['optimizer']): Optimizer {
  const options = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  return name === 'adamw' ? new AdamW(parameters, options) : new Adam(parameters, options);
}

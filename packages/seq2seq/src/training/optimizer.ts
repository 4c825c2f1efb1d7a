import { Adam, AdamW, type Optimizer, type Parameter, SGD } from '@seqloom/tensor-ops';
import { ConfigError } from '../config/parse.js';
import type { TrainSettings } from './options.js';

/** The optimizer that the settings name. @throws ConfigError naming an option that it does not have */
export function createOptimizer(parameters: Parameter[], settings: TrainSettings['optimizer']): Optimizer {
  const { name, ...given } = settings;
  const foreign = name === 'sgd' ? (['betas', 'epsilon'] as const) : (['momentum'] as const);
  for (const key of foreign) {
    if (given[key] === undefined) continue;
    throw new ConfigError(`train options: optimizer.${key} does not belong to optimizer ${name}; got ${given[key]}`);
  }
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (name === 'sgd') return new SGD(parameters, options);
  return name === 'adamw' ? new AdamW(parameters, options) : new Adam(parameters, options);
}

import type { ModelConfig } from '../config/model-config.js';
import { ConfigError } from '../config/parse.js';

/** @throws ConfigError naming the first setting in which a checkpoint's model differs from this one; the seed may */
export function refuseOtherModel(here: ModelConfig, saved: ModelConfig): void {
  const before = flat(saved);
  for (const [key, value] of flat(here)) {
    if (key === 'seed' || before.get(key) === value) continue;
    throw new ConfigError(
      `train: the checkpoint is of another model: ${key} is ${before.get(key)} there, ${value} here`,
    );
  }
}

function flat(value: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, part]) =>
      part !== null && typeof part === 'object' ? [...flat(part, `${prefix}${key}.`)] : [[prefix + key, part]],
    ),
  );
}

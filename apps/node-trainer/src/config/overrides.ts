import { parse } from 'yaml';
import { InputError } from '../errors.js';
import type { Path } from './source.js';

/** A value given on the command line, which wins over the file's. */
export interface Override {
  readonly path: Path;
  readonly value: unknown;
  /** What the user typed, for messages. */
  readonly flag: string;
}

/** `training.epochs=3` → an override; the value is read as YAML, so numbers, `true`, `null` and `[a, b]` are themselves. */
export function parseOverride(assignment: string): Override {
  const flag = `--set ${assignment}`;
  const at = assignment.indexOf('=');
  if (at < 1) throw new InputError(`${flag}: must be KEY=VALUE, such as training.epochs=3`);
  const path = assignment.slice(0, at).split('.');
  if (path.some((key) => key === '')) throw new InputError(`${flag}: the key has an empty part`);
  try {
    return { path, value: parse(assignment.slice(at + 1)), flag };
  } catch (cause) {
    throw new InputError(`${flag}: the value is not YAML`, {}, { cause });
  }
}

/** The value with the overrides put in, objects made where there were none; the original is left as it is. */
export function applyOverrides(value: unknown, overrides: readonly Override[]): unknown {
  return overrides.reduce((result, override) => put(result, override.path, override), value);
}

function put(value: unknown, path: Path, override: Override): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return override.value;
  if (Array.isArray(value)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > value.length) {
      throw new InputError(`${override.flag}: ${String(key)} must be an index in [0, ${value.length}]`);
    }
    return Object.assign([...value], { [index]: put(value[index], rest, override) });
  }
  const object = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>) : {};
  const child = Object.hasOwn(object, key) ? object[key] : undefined;
  // Not an assignment, which a key named __proto__ would turn into something else.
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== key),
    [key, put(child, rest, override)],
  ]);
}

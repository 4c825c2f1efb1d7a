// Turns a schema's complaint into one sentence that a person can act on.
import { z } from 'zod';
import { nearestName } from './nearest.js';

/** A configuration or option that breaks a rule; the message names it, the rule and what came. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The value as `schema` reads it, defaults filled in.
 *
 * @param what names the thing in messages, such as `train options`
 * @throws ConfigError with one sentence about the first rule that is broken
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigError(`${what}: ${sentence(result.error.issues[0]!, schema, value)}`);
}

function sentence(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  const path = issue.path.map(String);
  const where = path.join('.');
  const got = show(valueAt(value, path));
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKey([...path, issue.keys[0]!], knownKeys(schema, path));
    case 'invalid_type':
      return `${where || 'the value'} must be ${article(issue.expected)}; got ${got}`;
    case 'invalid_value':
      return `${where} must be one of ${issue.values.map(String).join(', ')}; got ${got}`;
    case 'too_small':
      return `${where} must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}; got ${got}`;
    case 'too_big':
      return `${where} must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}; got ${got}`;
    case 'invalid_union':
      return `${where} is none of the allowed forms; got ${got}`;
    case 'custom':
      return issue.message;
    default:
      return `${where}: ${issue.message}; got ${got}`;
  }
}

function unknownKey(path: string[], known: string[]): string {
  const nearest = nearestName(path[path.length - 1]!, known);
  const hint = nearest === undefined ? `the names are ${known.join(', ')}` : `did you mean "${nearest}"?`;
  return `unknown name "${path.join('.')}"; ${hint}`;
}

/** Names of the object schema at `path`, looking through defaults and optionals. */
function knownKeys(schema: z.ZodType, path: string[]): string[] {
  let at: unknown = objectIn(schema);
  for (const step of path) at = at instanceof z.ZodObject ? objectIn(at.shape[step]) : undefined;
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function objectIn(schema: unknown): unknown {
  let at = schema;
  for (;;) {
    if (at instanceof z.ZodDefault || at instanceof z.ZodPrefault || at instanceof z.ZodOptional) at = at.unwrap();
    else if (at instanceof z.ZodNullable) at = at.unwrap();
    else if (at instanceof z.ZodPipe) at = at.in;
    else return at;
  }
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], value);
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value;
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { InputError, type Place } from '../errors.js';
import type { Override } from './overrides.js';
import type { ConfigSource, Path } from './source.js';

/**
 * The value as the schema says, with defaults filled in.
 *
 * @throws InputError for the first thing that is wrong: file and line, or the flag it came from, then the key, the rule
 *   and what came; for an unknown key, the nearest known one.
 */
export function validateConfig<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: ConfigSource,
  overrides: readonly Override[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues.map(innermost).sort((a, b) => rank(a) - rank(b));
  const isUnknown = issue!.code === 'unrecognized_keys';
  const path = isUnknown ? [...issue!.path, issue!.keys[0]!] : issue!.path;
  const override = overrides.findLast(({ path: set }) => isWithin(set, path) || (isUnknown && isWithin(path, set)));
  const place: Place = override === undefined ? source.place(path) : {};
  throw new InputError(`${override === undefined ? '' : `${override.flag}: `}${explain(issue!, path, schema)}`, place);
}

// An unknown key first: the value it should have given is then missing too, which would be the lesser hint.
function rank(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? 0 : 1;
}

/** Of a value that fits no member of a union, what is wrong with the member that came nearest. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const [deepest] = issue.errors
    .flatMap((branch) => branch.map((inner) => ({ ...innermost(inner), path: [...issue.path, ...inner.path] })))
    .filter((inner) => inner.path.length > issue.path.length || inner.code === 'unrecognized_keys')
    .sort((a, b) => b.path.length - a.path.length);
  return deepest ?? issue;
}

function isWithin(outer: Path, inner: Path): boolean {
  return outer.length <= inner.length && outer.every((key, i) => String(key) === String(inner[i]));
}

function explain(issue: z.core.$ZodIssue, path: Path, schema: z.ZodType): string {
  const name = path.map(String).join('.') || 'the file';
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    const nearest = known.length === 0 ? undefined : closest(String(path.at(-1)), known);
    const near = nearest !== undefined && distance(String(path.at(-1)), nearest) <= Math.max(2, nearest.length / 2);
    return `unknown key "${name}"${near ? `; did you mean "${nearest}"?` : known.length > 0 ? `; known here: ${known.join(', ')}` : ''}`;
  }
  return `"${name}" ${ruleOf(issue)}${issue.input === undefined ? '' : `; got ${JSON.stringify(issue.input)}`}`;
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing: a value of type ${issue.expected} is needed`
        : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'over'} ${issue.minimum}${issue.origin === 'number' || issue.origin === 'int' ? '' : ' long'}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'under'} ${issue.maximum}${issue.origin === 'number' || issue.origin === 'int' ? '' : ' long'}`;
    case 'custom':
      return issue.message;
    default:
      return `is not valid (${issue.message.replace(/^Invalid input: /, '')})`;
  }
}

function keysAt(schema: z.ZodType, path: Path): string[] {
  let node = unwrap(schema);
  for (const key of path) {
    if (node instanceof z.ZodObject) node = unwrap((node.shape as Record<PropertyKey, z.ZodType>)[key]);
    else return [];
  }
  if (node instanceof z.ZodObject) return Object.keys(node.shape);
  return node instanceof z.ZodUnion ? node.options.flatMap((option) => keysAt(option as z.ZodType, [])) : [];
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let node = schema;
  while (
    node instanceof z.ZodDefault ||
    node instanceof z.ZodPrefault ||
    node instanceof z.ZodOptional ||
    node instanceof z.ZodNullable
  ) {
    node = node.unwrap() as z.ZodType;
  }
  return node;
}

/** A request that breaks a rule; becomes a 4xx answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** What /translate is asked for, in LibreTranslate's terms. */
export interface TranslateRequest {
  readonly texts: readonly string[];
  /** Whether `q` was a list: the answer is one then too. */
  readonly isList: boolean;
  /** How many other translations of each text are wanted. */
  readonly alternatives: number;
  /** Whether the client asks which language the texts are in. */
  readonly isAuto: boolean;
}

export interface RequestLimits {
  /** Longest text in all, in characters. */
  readonly characters: number;
  /** Most texts in a list. */
  readonly texts: number;
}

/**
 * Reads the body of a /translate request, JSON or an HTML form.
 *
 * @throws RequestError naming the rule
 */
export function readTranslateRequest(
  body: string,
  contentType: string,
  direction: { readonly source: string | null; readonly target: string | null },
  limits: RequestLimits,
): TranslateRequest {
  const { q, source, target, format, alternatives } = readFields(body, contentType);
  const isList = Array.isArray(q);
  const texts: unknown[] = isList ? q : [q];
  if (!texts.every((text) => typeof text === 'string'))
    throw new RequestError(400, 'q must be a text or a list of texts');
  if (texts.length > limits.texts)
    throw new RequestError(413, `q must hold at most ${limits.texts} texts; got ${texts.length}`);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > limits.characters)
    throw new RequestError(413, `q must have at most ${limits.characters} characters; got ${characters}`);
  checkLanguage('source', source, direction.source, ['auto']);
  checkLanguage('target', target, direction.target, []);
  if (format !== undefined && format !== 'text')
    throw new RequestError(400, `format must be text; got ${shown(format)}`);
  return { texts, isList, alternatives: wholeNumber('alternatives', alternatives), isAuto: source === 'auto' };
}

function readFields(body: string, contentType: string): Record<string, unknown> {
  if (contentType.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RequestError(400, 'the body must be JSON or a form');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestError(400, 'the body must be a JSON object');
  return value as Record<string, unknown>;
}

function checkLanguage(name: string, given: unknown, own: string | null, also: readonly string[]): void {
  if (given === undefined || own === null || given === own || also.includes(given as string)) return;
  throw new RequestError(400, `${name} must be ${own}; got ${shown(given)}`);
}

/** 0 where it is not given; a form has it as text. */
function wholeNumber(name: string, given: unknown): number {
  const value = given === undefined || given === '' ? 0 : Number(given);
  if (!Number.isInteger(value) || value < 0 || (typeof given !== 'number' && typeof given !== 'string' && value !== 0))
    throw new RequestError(400, `${name} must be a whole number; got ${shown(given)}`);
  return value;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
}

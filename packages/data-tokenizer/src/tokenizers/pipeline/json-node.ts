/** A tokenizer file that cannot be used: one sentence that names the file, the part and what is wrong with it. */
export class TokenizerFileError extends Error {
  override readonly name = 'TokenizerFileError';

  constructor(
    private readonly problem: string,
    private readonly options: ErrorOptions & { file?: string } = {},
  ) {
    super(`${options.file ?? 'tokenizer.json'}: ${problem}`, options);
  }

  /** The same about the file of this name. */
  in(file: string): TokenizerFileError {
    return new TokenizerFileError(this.problem, { ...this.options, file });
  }
}

// Real files need about eight. Parts within parts are read by recursion, which a hostile file must not exhaust.
const deepest = 64;

/** A value in a file that somebody else wrote: every access checks the type and says which part has the wrong one. */
export class JsonNode {
  readonly value: unknown;
  readonly path: string;
  readonly #depth: number;

  constructor(value: unknown, path: string, depth = 0) {
    this.value = value;
    this.path = path;
    this.#depth = depth;
    if (depth > deepest) this.fail(`is nested more than ${deepest} levels deep`);
  }

  /** The value below a key; a missing one is undefined, which only the `…Or` accessors accept. */
  get(key: string): JsonNode {
    const path = this.path === '' ? key : `${this.path}.${key}`;
    const object = this.object();
    return new JsonNode(Object.hasOwn(object, key) ? object[key] : undefined, path, this.#depth + 1);
  }

  get isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  object(): Readonly<Record<string, unknown>> {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) this.#wrong('an object');
    return this.value as Record<string, unknown>;
  }

  array(): JsonNode[] {
    if (!Array.isArray(this.value)) this.#wrong('a list');
    return (this.value as unknown[]).map(
      (item, index) => new JsonNode(item, `${this.path}[${index}]`, this.#depth + 1),
    );
  }

  string(): string {
    if (typeof this.value !== 'string') this.#wrong('a string');
    return this.value as string;
  }

  stringOr<Default>(fallback: Default): string | Default {
    return this.isMissing ? fallback : this.string();
  }

  booleanOr(fallback: boolean): boolean {
    if (this.isMissing) return fallback;
    if (typeof this.value !== 'boolean') this.#wrong('true or false');
    return this.value as boolean;
  }

  /** A whole number from 0 on. */
  count(): number {
    if (!Number.isSafeInteger(this.value) || (this.value as number) < 0) this.#wrong('a whole number from 0 on');
    return this.value as number;
  }

  /** Stops with a sentence about this part. */
  fail(problem: string): never {
    const path = this.path.length > 120 ? `${this.path.slice(0, 120)}…` : this.path;
    throw new TokenizerFileError(`${path === '' ? 'the file' : path} ${problem}`);
  }

  #wrong(expected: string): never {
    this.fail(`must be ${expected}; got ${describe(this.value)}`);
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

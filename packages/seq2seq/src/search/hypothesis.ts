// A translation in the making, as a chain of tokens that shares its beginning with its siblings.

/** Why a translation ended: `<eos>`, the length limit, or an abort. */
export type Finish = 'eos' | 'length' | 'aborted';

/** A finished translation. */
export interface Hypothesis {
  /** Without `<bos>` and `<eos>`. */
  readonly tokens: number[];
  /** What the search ranks by; see the option `lengthPenalty`. */
  readonly score: number;
  /** The model's log-probability of each token. */
  readonly logProbabilities: number[];
  /** The model's log-probability of `<eos>` after the last token; null where it did not end with `<eos>`. */
  readonly endLogProbability: number | null;
  /** A row of source weights for each token; empty without attention. */
  readonly attention: Float32Array[];
  /**
   * For each token the source position of the largest weight, where the model copies of those that say the token, if any; -1
   * without attention or without a source.
   */
  readonly positions: number[];
  readonly finish: Finish;
}

/** One token and what led to it. */
export interface Path {
  readonly parent: Path | null;
  readonly token: number;
  readonly logProbability: number;
  /** Sum of what the search ranks by: log-probabilities, changed by a repetition penalty where there is one. */
  readonly total: number;
  /** Tokens so far. */
  readonly length: number;
  readonly attention: Float32Array | null;
}

/** The empty path, whose next token is the first. */
export function rootPath(token: number): Path {
  return { parent: null, token, logProbability: 0, total: 0, length: 0, attention: null };
}

/** Every path from the first token to this one. */
export function steps(path: Path): Path[] {
  const chain: Path[] = [];
  for (let at = path; at.parent; at = at.parent) chain.push(at);
  return chain.reverse();
}

/** The longest beginning that all paths share. */
export function commonBeginning(paths: readonly Path[]): Path {
  let shared = paths[0]!;
  for (const path of paths) {
    let other = path;
    while (other.length > shared.length) other = other.parent!;
    while (shared.length > other.length) shared = shared.parent!;
    while (shared !== other) [shared, other] = [shared.parent!, other.parent!];
  }
  return shared;
}

/**
 * The source position of the largest weight, -1 where there is none. Where `copies` tells what copying each position says, of
 * those that say the token, if any.
 */
export function pointedTo({ token, attention }: Path, copies: Int32Array | null): number {
  if (!attention || attention.length === 0) return -1;
  const saying = copies ? [...attention.keys()].filter((i) => copies[i] === token) : [];
  const places = saying.length > 0 ? saying : [...attention.keys()];
  return places.reduce((best, i) => (attention[i]! > attention[best]! ? i : best));
}

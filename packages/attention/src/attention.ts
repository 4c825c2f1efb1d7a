// What every attention is: a memory projected once and handed back as a value, and queries that attend to it.
import { type Attended, type DropoutKey, Module, type WithQuery } from '@seqloom/tensor-ops';
import { concat, type Tensor } from '@tensorflow/tfjs-core';

/** A memory made ready to be attended, once a source: a plain value that the caller keeps and disposes of. */
export interface AttentionMemory {
  /** [B,S,A]: what queries are compared with. */
  keys: Tensor;
  /** [B,S,M]: what is averaged into contexts. */
  values: Tensor;
}

/** Options of `attend`. */
export interface AttendOptions {
  /** [B,S] or [B,T,S] bool, true = attend here; B and T may be 1. */
  mask?: Tensor | undefined;
  /** [B,T,S], or [B,S] for a query [B,Q]: the sum of the weights so far (Tu et al. 2016), where the score takes it. */
  coverage?: Tensor | undefined;
  /** Puts the query before or after each context, as decoders read them: context [B,T,querySize + contextSize]. */
  withQuery?: WithQuery | undefined;
  /** Given in training: drops weights where the attention was made with dropout. */
  dropout?: DropoutKey | undefined;
}

/** Sizes of an attention. */
export interface AttentionSizes {
  /** Width of a query. */
  querySize: number;
  /** Width of a memory's rows. */
  memorySize: number;
  /** Width of a context: memorySize unless the attention projects its values. */
  contextSize?: number;
}

/**
 * weights = softmax(score(query, key)) over the allowed positions, context = their mean of the values.
 *
 * Subclasses say what the score is. Nothing is remembered between calls.
 */
export abstract class Attention extends Module {
  readonly querySize: number;
  readonly memorySize: number;
  readonly contextSize: number;

  /** @param name the class, as error messages name it */
  constructor(
    protected readonly name: string,
    { querySize, memorySize, contextSize = memorySize }: AttentionSizes,
  ) {
    super();
    checkSizes(name, { querySize, memorySize, contextSize });
    this.querySize = querySize;
    this.memorySize = memorySize;
    this.contextSize = contextSize;
  }

  /**
   * Makes a memory ready, once a source. Keys or values that need no projection are the given tensor itself.
   *
   * @param memory [B,S,memorySize], an encoder's outputs
   * @throws Error when the shape does not fit
   */
  project(memory: Tensor): AttentionMemory {
    if (memory.rank !== 3 || memory.shape[2] !== this.memorySize) {
      throw new Error(`${this.name}.project: memory must be [B,S,${this.memorySize}]; got [${memory.shape}]`);
    }
    return { keys: this.keysOf(memory), values: memory };
  }

  /**
   * Attends to a projected memory. Masked positions have weight exactly zero; a query that may attend nothing has weights
   * and context zero.
   *
   * @param query [B,T,querySize], or [B,querySize] for one step of decoding
   * @param memory what `project` gave
   * @returns context [B,T,contextSize] (and the query beside it, where asked for) and weights [B,T,S]; for a query
   *   [B,querySize], [B,contextSize] and [B,S]
   * @throws Error when shapes or `withQuery` do not fit, or on coverage where the score has no such term
   */
  attend<Q extends Tensor>(query: Q, memory: AttentionMemory, options: AttendOptions = {}): Attended<Q> {
    this.check('attend', query, options);
    return this.weigh(query, memory, options);
  }

  /** Whether `attend` takes coverage. */
  get takesCoverage(): boolean {
    return false;
  }

  /** What every way of attending checks first. */
  protected check(method: string, query: Tensor, options: AttendOptions): void {
    const fits = (query.rank === 2 || query.rank === 3) && query.shape[query.rank - 1] === this.querySize;
    if (!fits) {
      const wanted = `[B,${this.querySize}] or [B,T,${this.querySize}]`;
      throw new Error(`${this.name}.${method}: query must be ${wanted}; got [${query.shape}]`);
    }
    const { withQuery } = options;
    if (withQuery !== undefined && withQuery !== 'before' && withQuery !== 'after') {
      throw new Error(`${this.name}.${method}: withQuery must be 'before' or 'after'; got ${withQuery}`);
    }
    if (options.coverage && !this.takesCoverage) {
      throw new Error(
        `${this.name}.${method}: this attention has no coverage term; AdditiveAttention and ConcatAttention have with { coverage: true }`,
      );
    }
  }

  /** The keys of a memory [B,S,memorySize]. */
  protected abstract keysOf(memory: Tensor): Tensor;

  /** `attend` after its checks. */
  protected abstract weigh<Q extends Tensor>(query: Q, memory: AttentionMemory, options: AttendOptions): Attended<Q>;
}

/** The query beside each context, where asked for. */
export function joinQuery<Q extends Tensor>(
  query: Q,
  { context, weights }: Attended<Q>,
  withQuery: WithQuery | undefined,
): Attended<Q> {
  if (!withQuery) return { context, weights };
  const joined = concat(withQuery === 'before' ? [query, context] : [context, query], -1);
  return { context: joined, weights } as Attended<Q>;
}

/** @throws Error naming the first size that is not a positive whole number */
export function checkSizes(name: string, sizes: Record<string, number>): void {
  for (const [field, size] of Object.entries(sizes)) {
    if (!Number.isInteger(size) || size < 1) {
      throw new Error(`${name}: ${field} must be a positive whole number; got ${size}`);
    }
  }
}

// The search for one sentence's translation, free of tensors: scores come in, choices go out.

import type { SpecialIds } from './allowed.js';
import { type Finish, type Hypothesis, type Path, pointedTo, rootPath, steps } from './hypothesis.js';
import type { SearchSettings } from './options.js';
import { scorePath } from './score.js';

/** Scores for the rows of one sentence: each row's own array, which the search may change. */
export interface StepScores {
  /** Log-probabilities [V] of the next token. */
  readonly rows: Float32Array[];
  /** Weights over the sentence's own positions, or null without attention. */
  readonly attention: (Float32Array | null)[];
}

/** What the rows of the next step are: row i continues row `parents[i]` by `tokens[i]`. */
export interface Choice {
  readonly parents: number[];
  readonly tokens: number[];
}

interface Ended {
  readonly path: Path;
  readonly endLogProbability: number | null;
  readonly finish: Finish;
  readonly score: number;
}

export abstract class SentenceSearch {
  /** The paths that go on; row i of the next scores belongs to the i-th. */
  live: Path[];
  protected ended: Ended[] = [];

  constructor(
    protected readonly settings: SearchSettings,
    protected readonly ids: SpecialIds,
    protected readonly maxLength: number,
    /** What copying each source position says; null where nothing is copied. */
    readonly copies: Int32Array | null,
  ) {
    this.live = [rootPath(ids.bosId)];
  }

  get done(): boolean {
    return this.live.length === 0;
  }

  /** Takes the next tokens' scores of all live paths and decides how they go on. */
  abstract advance(scores: StepScores): Choice;

  /** Ends what is still live, as when the caller aborts. */
  abort(): void {
    for (const path of this.live) this.end(path, path.total, 'aborted');
    this.live = [];
  }

  /** The hypotheses that have ended, best first. */
  best(): Hypothesis[] {
    return this.ranked()
      .slice(0, this.settings.nBest)
      .map((ended) => hypothesis(ended, this.copies));
  }

  /** Every path that may still turn out to be the best. */
  contenders(): Path[] {
    return [...this.live, ...this.ended.map(({ path }) => path)];
  }

  protected ranked(): Ended[] {
    return [...this.ended].sort((a, b) => b.score - a.score);
  }

  protected end(path: Path, total: number, finish: Finish, endLogProbability: number | null = null): void {
    const length = path.length + (finish === 'eos' ? 1 : 0);
    this.ended.push({ path, finish, endLogProbability, score: scorePath(path, total, length, this.settings) });
  }

  /** Lets paths go on, except those that have reached the limit. */
  protected goOn(paths: { path: Path; parent: number }[]): Choice {
    const within = paths.filter(({ path }) => path.length < this.maxLength);
    for (const { path } of paths) if (path.length >= this.maxLength) this.end(path, path.total, 'length');
    this.live = within.map(({ path }) => path);
    return { parents: within.map(({ parent }) => parent), tokens: this.live.map(({ token }) => token) };
  }
}

function hypothesis({ path, score, endLogProbability, finish }: Ended, copies: Int32Array | null): Hypothesis {
  const chain = steps(path);
  return {
    tokens: chain.map((step) => step.token),
    score,
    logProbabilities: chain.map((step) => step.logProbability),
    endLogProbability,
    attention: chain.flatMap((step) => step.attention ?? []),
    positions: chain.map((step) => pointedTo(step, copies)),
    finish,
  };
}

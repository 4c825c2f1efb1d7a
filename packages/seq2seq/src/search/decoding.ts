// Several sentences side by side: moves scores from the models to each sentence's search and its choices back.
import type { Sources } from '../batch.js';
import type { Seq2Seq } from '../model.js';
import { type RowScores, Scorer } from './scorer.js';
import type { SentenceSearch, StepScores } from './sentence-search.js';

interface Active {
  readonly search: SentenceSearch;
  readonly sourceLength: number;
}

/** The searches of a batch of sentences, one step at a time. Free it with `dispose`. */
export class Decoding {
  private readonly scorer: Scorer;
  private readonly vocabulary: number;
  private readonly sourceWidth: number;
  private readonly padId: number;
  /** Sentences still being translated, in the order of their rows. */
  private active: Active[];
  /** Rows of each sentence: as many as the sentence with the most hypotheses needs. */
  private rowsEach = 1;

  constructor(models: readonly Seq2Seq[], sources: Sources, searches: readonly SentenceSearch[]) {
    const { padId, targetVocabulary } = models[0]!.config;
    this.scorer = new Scorer(models, sources);
    this.vocabulary = targetVocabulary;
    this.sourceWidth = sources.width;
    this.padId = padId;
    this.active = searches.map((search, i) => ({ search, sourceLength: sources.lengths[i]! }));
  }

  get done(): boolean {
    return this.active.length === 0;
  }

  /** One more token for every hypothesis. Sentences that have ended leave the batch. */
  step(): void {
    const choices = this.scorer.advance(this.tokens(), (scores) =>
      this.active.map(({ search, sourceLength }, i) => search.advance(this.scoresOf(scores, i, sourceLength))),
    );
    const before = this.rowsEach;
    const staying = [...this.active.keys()].filter((i) => !this.active[i]!.search.done);
    const dropped = staying.length < this.active.length;
    this.active = staying.map((i) => this.active[i]!);
    if (this.done) return;
    this.rowsEach = Math.max(...this.active.map(({ search }) => search.live.length));
    const rows = staying.flatMap((i) =>
      Array.from({ length: this.rowsEach }, (_, k) => i * before + (choices[i]!.parents[k] ?? 0)),
    );
    const same = !dropped && before === this.rowsEach && rows.every((row, i) => row === i);
    if (!same) this.scorer.select(Int32Array.from(rows), dropped ? Int32Array.from(staying) : null);
  }

  /** Ends every hypothesis where it stands. */
  abort(): void {
    for (const { search } of this.active) search.abort();
    this.active = [];
  }

  dispose(): void {
    this.scorer.dispose();
  }

  /** The last token of every row; rows without a hypothesis read padding, and nobody looks at what they give. */
  private tokens(): Int32Array {
    return Int32Array.from(
      this.active.flatMap(({ search }) =>
        Array.from({ length: this.rowsEach }, (_, k) => search.live[k]?.token ?? this.padId),
      ),
    );
  }

  private scoresOf({ logProbabilities, weights }: RowScores, sentence: number, sourceLength: number): StepScores {
    const first = sentence * this.rowsEach;
    const rows = this.active[sentence]!.search.live.map((_, k) => first + k);
    return {
      rows: rows.map((row) => logProbabilities.subarray(row * this.vocabulary, (row + 1) * this.vocabulary)),
      attention: rows.map(
        (row) => weights?.slice(row * this.sourceWidth, row * this.sourceWidth + sourceLength) ?? null,
      ),
    };
  }
}

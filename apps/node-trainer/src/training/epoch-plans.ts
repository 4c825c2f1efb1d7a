import { type BatchPlan, batches, type EncodedPair, seededRandom, type TextCodec } from '@seqloom/data-tokenizer';
import type { RunConfig } from '../config/run-config.js';
import { InputError } from '../errors.js';
import type { EncodedPart } from './encoded-data.js';

/**
 * The training batches of every epoch. With BPE-dropout the pairs are cut anew for each, by the run's seed and the epoch's number
 * alone, so that a resumed run sees what the stopped one would have seen.
 */
export class EpochPlans {
  readonly #train: EncodedPart;
  readonly #codec: TextCodec;
  readonly #config: Pick<RunConfig, 'seed' | 'text' | 'training'>;
  readonly #rates: { readonly source: number; readonly target: number };
  #latest: { readonly epoch: number; readonly plan: BatchPlan } | undefined;

  /** @throws InputError for dropout with a tokenizer that joins nothing. */
  constructor(train: EncodedPart, codec: TextCodec, config: Pick<RunConfig, 'seed' | 'text' | 'training'>) {
    this.#train = train;
    this.#codec = codec;
    this.#config = config;
    const { source, target, share } = config.text;
    const sides = { source, target: share === 'nothing' ? target : source };
    for (const [name, { dropout, tokenizer }] of Object.entries(sides)) {
      if (dropout > 0 && tokenizer !== 'bpe')
        throw new InputError(`text.${name}.dropout is for the tokenizer bpe, which has merges; got ${tokenizer}`);
    }
    this.#rates = { source: sides.source.dropout, target: sides.target.dropout };
  }

  /** The plan that has the batches of an epoch, the first being 0. */
  of(epoch: number): BatchPlan {
    const key = this.#changes ? epoch : 0;
    if (this.#latest?.epoch !== key) this.#latest = { epoch: key, plan: this.#plan(key) };
    return this.#latest.plan;
  }

  get #changes(): boolean {
    return this.#rates.source > 0 || this.#rates.target > 0;
  }

  #plan(epoch: number): BatchPlan {
    const { seed, training } = this.#config;
    const { size, unit } = training.batch;
    return batches(this.#changes ? this.#cutAnew(epoch) : this.#train.ids, { [unit]: size, seed });
  }

  #cutAnew(epoch: number): EncodedPair[] {
    const { maxPieces } = this.#codec;
    const cutter = (side: 'source' | 'target') => {
      const rate = this.#rates[side];
      // A stream for each side and epoch, apart from the order's.
      const random = seededRandom(this.#config.seed ^ 0x42504544, 2 * epoch + (side === 'source' ? 0 : 1));
      return (text: string, whole: ArrayLike<number>): ArrayLike<number> => {
        if (rate === 0) return whole;
        const { ids } = this.#codec[side].encode(text, { dropout: { rate, random } });
        return ids.length > maxPieces ? whole : ids;
      };
    };
    const [source, target] = [cutter('source'), cutter('target')];
    return this.#train.pairs.map((pair, index) => {
      const ids = this.#train.ids[index] as EncodedPair;
      return { source: source(pair.source, ids.source), target: target(pair.target, ids.target) };
    });
  }
}

import type { TextCodec } from '@seqloom/data-tokenizer';
import { type Hypothesis, type SearchOptions, type Seq2Seq, translateBatch } from '@seqloom/seq2seq';
import type { AttentionMap } from '../attention-map/attention-map.js';

/** One way a sentence was translated. */
export interface TranslatedText {
  readonly text: string;
  /** What the search ranks by. */
  readonly score: number;
  readonly tokens: readonly string[];
  readonly logProbabilities: readonly number[];
  readonly finish: Hypothesis['finish'];
  /** Null for models without attention. */
  readonly attention: AttentionMap | null;
}

export interface Translation {
  readonly source: string;
  /** Best first; empty for a blank line. */
  readonly hypotheses: readonly TranslatedText[];
  /** Pieces of the source that were left out because there were more than the model's limit. */
  readonly cut: number;
}

export interface TranslatorOptions extends SearchOptions {
  readonly signal?: AbortSignal;
  /** Put the source's own text where the model says `<unk>`: the piece with the largest weight. */
  readonly replaceUnknown?: boolean;
}

/** Text in, text out: a codec around one model, or several whose probabilities are averaged. */
export class Translator {
  readonly models: readonly Seq2Seq[];
  readonly codec: TextCodec;
  /** How the model was configured to search. */
  readonly search: SearchOptions;

  constructor(models: readonly Seq2Seq[], codec: TextCodec, search: SearchOptions = {}) {
    this.models = models;
    this.codec = codec;
    this.search = search;
  }

  /** Translates sentences side by side; a blank one stays blank. */
  async translate(sources: readonly string[], options: TranslatorOptions = this.search): Promise<Translation[]> {
    const { replaceUnknown = false, ...search } = options;
    const { codec } = this;
    const encoded = sources.map((source) => codec.source.encode(source));
    const filled = encoded.flatMap(({ ids }, i) => (ids.length > 0 ? [i] : []));
    const ids = filled.map((i) => encoded[i]!.ids.subarray(0, codec.maxPieces));
    const found = ids.length === 0 ? [] : await translateBatch(this.models, ids, search);
    const translations: Translation[] = sources.map((source) => ({ source, hypotheses: [], cut: 0 }));
    filled.forEach((i, k) => {
      const pieces = encoded[i]!.pieces.slice(0, codec.maxPieces);
      const hypotheses = found[k]!.map((hypothesis) => this.#read(hypothesis, pieces, replaceUnknown));
      translations[i] = { source: sources[i]!, hypotheses, cut: encoded[i]!.ids.length - pieces.length };
    });
    return translations;
  }

  #read(hypothesis: Hypothesis, pieces: readonly string[], replaceUnknown: boolean): TranslatedText {
    const { target } = this.codec;
    const { tokens, score, logProbabilities, attention, finish } = hypothesis;
    const labels = target.labels(tokens);
    return {
      text: replaceUnknown ? this.#withoutUnknown(hypothesis, pieces) : target.decode(tokens),
      score,
      tokens: labels,
      logProbabilities,
      finish,
      attention: attention.length === 0 ? null : { source: pieces, target: labels, weights: attention },
    };
  }

  // The text is decoded in stretches, so that what stands for an unknown word is the raw source piece.
  #withoutUnknown({ tokens, positions }: Hypothesis, pieces: readonly string[]): string {
    const { target } = this.codec;
    const unknown = this.models[0]!.config.unkId;
    const placeholder = target.tokenizer.vocabulary.token(unknown);
    const raw = tokens.flatMap((token, i) => (token === unknown ? [pieces[positions[i]!] ?? placeholder] : []));
    let next = 0;
    return target.decode(tokens).replaceAll(placeholder, () => raw[next++] ?? placeholder);
  }
}

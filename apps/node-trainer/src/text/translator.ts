import { splitSentences, type TextCodec } from '@seqloom/data-tokenizer';
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
  /** How many sentences a line was divided into because it was too long for the model; mostly 1. */
  readonly sentences: number;
  /** Pieces of the source that were left out because there were more than the model's limit. */
  readonly cut: number;
}

export interface TranslatorOptions extends SearchOptions {
  readonly signal?: AbortSignal;
  /**
   * Put the source's own text where the model says `<unk>`: the piece with the largest weight. Default: where the model copies, as
   * it points to a word that its target vocabulary does not hold.
   */
  readonly replaceUnknown?: boolean;
}

// Written without spaces between sentences.
const unspaced = new Set(['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my']);

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

  /**
   * Translates lines side by side; a blank one stays blank. A line with more pieces than the model takes is divided into
   * sentences (and those at clauses or spaces), so that its end is translated too; it then has one hypothesis and no attention.
   */
  async translate(sources: readonly string[], options: TranslatorOptions = this.search): Promise<Translation[]> {
    const units = sources.map((source) => this.#divide(source));
    const translated = await this.#translateUnits(units.flat(), options);
    let next = 0;
    return units.map((parts, i) => {
      const own = translated.slice(next, next + parts.length);
      next += parts.length;
      return own.length === 1 ? own[0]! : this.#join(sources[i]!, own);
    });
  }

  async #translateUnits(sources: readonly string[], options: TranslatorOptions): Promise<Translation[]> {
    const { replaceUnknown = this.models.every((model) => model.copies), ...search } = options;
    const { codec } = this;
    const encoded = sources.map((source) => codec.source.encode(source));
    const filled = encoded.flatMap(({ ids }, i) => (ids.length > 0 ? [i] : []));
    const ids = filled.map((i) => encoded[i]!.ids.subarray(0, codec.maxPieces));
    const found = ids.length === 0 ? [] : await translateBatch(this.models, ids, search);
    const translations: Translation[] = sources.map((source) => ({ source, hypotheses: [], sentences: 1, cut: 0 }));
    filled.forEach((i, k) => {
      const pieces = encoded[i]!.pieces.slice(0, codec.maxPieces);
      const hypotheses = found[k]!.map((hypothesis) => this.#read(hypothesis, pieces, replaceUnknown));
      const cut = encoded[i]!.ids.length - pieces.length;
      translations[i] = { source: sources[i]!, hypotheses, sentences: 1, cut };
    });
    return translations;
  }

  #divide(source: string): string[] {
    const { maxPieces } = this.codec;
    const count = (text: string) => this.codec.source.encode(text).ids.length;
    const locale = this.codec.source.language ?? 'und';
    if (count(source) <= maxPieces) return [source];
    return splitSentences(source, locale).flatMap(({ text }) => {
      const pieces = count(text);
      if (pieces <= maxPieces) return [text];
      const maxLength = Math.max(1, Math.floor((0.8 * text.length * maxPieces) / pieces));
      return splitSentences(text, locale, { maxLength }).map((part) => part.text);
    });
  }

  #join(source: string, parts: readonly Translation[]): Translation {
    const best = parts.flatMap(({ hypotheses }) => hypotheses.slice(0, 1));
    const space = unspaced.has(this.codec.target.language?.split('-')[0] ?? '') ? '' : ' ';
    const whole: TranslatedText = {
      text: best.map(({ text }) => text).join(space),
      score: best.reduce((sum, { score }) => sum + score, 0),
      tokens: best.flatMap(({ tokens }) => tokens),
      logProbabilities: best.flatMap(({ logProbabilities }) => logProbabilities),
      finish: best.find(({ finish }) => finish !== 'eos')?.finish ?? 'eos',
      attention: null,
    };
    return { source, hypotheses: [whole], sentences: parts.length, cut: parts.reduce((sum, { cut }) => sum + cut, 0) };
  }

  #read(hypothesis: Hypothesis, pieces: readonly string[], replaceUnknown: boolean): TranslatedText {
    const { target } = this.codec;
    const { tokens, positions, score, logProbabilities, attention, finish } = hypothesis;
    const labels = target.labels(tokens);
    return {
      text: target.decode(tokens, replaceUnknown ? (at) => pieces[positions[at] ?? -1] : undefined),
      score,
      tokens: labels,
      logProbabilities,
      finish,
      attention: attention.length === 0 ? null : { source: pieces, target: labels, weights: attention },
    };
  }
}

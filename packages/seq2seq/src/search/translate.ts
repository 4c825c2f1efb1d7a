// Translating: the public face of search.
import { deriveSeed } from '@seqloom/tensor-ops';
import { padSources } from '../batch.js';
import { ConfigError } from '../config/parse.js';
import { breathe } from '../event-loop.js';
import type { Seq2Seq } from '../model.js';
import { BeamSearch } from './beam.js';
import { Decoding } from './decoding.js';
import { commonBeginning, type Hypothesis, type Path, pointedTo, steps } from './hypothesis.js';
import { type SearchOptions, type SearchSettings, searchSettings } from './options.js';
import { Sampling } from './sampling.js';
import type { SentenceSearch } from './sentence-search.js';

export interface TranslateOptions extends SearchOptions {
  /** Aborting ends the search where it stands: what there is comes back, with `finish: 'aborted'`. */
  signal?: AbortSignal;
}

/** A token of the translation, as soon as it is certain. */
export interface TranslatedToken {
  readonly token: number;
  readonly logProbability: number;
  /** Weights over the source positions; null without attention. */
  readonly attention: Float32Array | null;
  /** As in `Hypothesis.positions`. */
  readonly position: number;
}

/**
 * Translates one sentence and yields each token as soon as no hypothesis disagrees on it: with a beam of one, every step.
 *
 * @param models a model, or several of equal vocabularies whose probabilities are averaged
 * @param ids source token ids; none is allowed
 * @returns the `nBest` hypotheses, best first, when the generator ends
 * @throws ConfigError on an option that breaks a rule; Error on an id outside the vocabulary
 * @example
 * const model = Seq2Seq.create({ encoder: { hiddenSize: 8 }, decoder: { attention: 'dot' }, sourceVocabulary: 9, targetVocabulary: 9 });
 * const tokens = [];
 * for await (const { token } of translate(model, [4, 5, 6], { beam: 5, maxLength: 3, minLength: 3 })) tokens.push(token);
 * console.log(tokens.length); // → 3
 */
export async function* translate(
  models: Seq2Seq | readonly Seq2Seq[],
  ids: ArrayLike<number>,
  { signal, ...options }: TranslateOptions = {},
): AsyncGenerator<TranslatedToken, Hypothesis[]> {
  const members = ensemble(models);
  const settings = searchSettings(options);
  const search = sentenceSearch(members, ids, settings);
  const decoding = new Decoding(members, padSources([ids], members[0]!.config.padId), [search]);
  let shown = 0;
  try {
    while (!decoding.done) {
      if (signal?.aborted) decoding.abort();
      else decoding.step();
      const certain = steps(commonBeginning(search.contenders()));
      for (const path of certain.slice(shown)) yield translatedToken(path, search);
      shown = Math.max(shown, certain.length);
      await breathe();
    }
    const found = search.best();
    const [best] = found as [Hypothesis];
    for (let i = shown; i < best.tokens.length; i++) {
      const attention = best.attention[i] ?? null;
      yield {
        token: best.tokens[i]!,
        logProbability: best.logProbabilities[i]!,
        attention,
        position: best.positions[i]!,
      };
    }
    return found;
  } finally {
    decoding.dispose();
  }
}

/**
 * Translates many sentences, `batchSize` side by side. Neither batch-mates nor their order change a translation.
 *
 * @param sentences source token ids, a sentence an entry; an empty one is allowed
 * @returns for each sentence its `nBest` hypotheses, best first
 * @throws ConfigError on an option that breaks a rule; Error on an id outside the vocabulary
 */
export async function translateBatch(
  models: Seq2Seq | readonly Seq2Seq[],
  sentences: readonly ArrayLike<number>[],
  { signal, ...options }: TranslateOptions = {},
): Promise<Hypothesis[][]> {
  const members = ensemble(models);
  const settings = searchSettings(options);
  const results: Hypothesis[][] = new Array(sentences.length);
  const byLength = [...sentences.keys()].sort((a, b) => sentences[a]!.length - sentences[b]!.length);
  for (let at = 0; at < byLength.length; at += settings.batchSize) {
    const chunk = byLength.slice(at, at + settings.batchSize);
    const chosen = chunk.map((i) => sentences[i]!);
    const searches = chosen.map((ids) => sentenceSearch(members, ids, settings));
    const sources = padSources(chosen, members[0]!.config.padId);
    await run(new Decoding(members, sources, searches), signal);
    for (const [k, i] of chunk.entries()) results[i] = searches[k]!.best();
  }
  return results;
}

async function run(decoding: Decoding, signal: AbortSignal | undefined): Promise<void> {
  try {
    while (!decoding.done) {
      if (signal?.aborted) decoding.abort();
      else decoding.step();
      await breathe();
    }
  } finally {
    decoding.dispose();
  }
}

function sentenceSearch(models: readonly Seq2Seq[], ids: ArrayLike<number>, settings: SearchSettings): SentenceSearch {
  const [{ config }] = models as [Seq2Seq];
  const maxLength = longestTranslation(models, ids.length, settings);
  if (settings.coveragePenalty > 0 && !models.some(attends)) {
    throw new ConfigError(
      `translate: coveragePenalty needs a model with attention; got ${settings.coveragePenalty} with decoder.kind plain`,
    );
  }
  for (const token of settings.prefix) {
    if (token >= config.targetVocabulary) {
      throw new Error(`translate: prefix ids must be in [0, ${config.targetVocabulary}); got ${token}`);
    }
  }
  const copies = copiesOf(models, ids);
  if (!settings.sample) return new BeamSearch(settings, config, maxLength, copies);
  const seed = deriveSeed(settings.seed ?? 0, Array.from(ids).join(' ')); // the sentence's own, whatever stands beside it
  return new Sampling(settings, config, maxLength, copies, seed);
}

function attends({ config }: Seq2Seq): boolean {
  return config.kind === 'transformer' || config.decoder.attention !== null;
}

/** @throws ConfigError where more tokens are asked for than a model can say */
function longestTranslation(models: readonly Seq2Seq[], sourceLength: number, settings: SearchSettings): number {
  const most = Math.min(...models.map(({ decoder }) => decoder.longestTarget));
  const wanted = settings.maxLength ?? Math.min(3 * sourceLength + 20, most);
  const maxLength = Math.max(wanted, settings.minLength, settings.prefix.length);
  if (maxLength <= most) return maxLength;
  throw new ConfigError(
    `translate: this model says at most ${most} tokens (maxPositions); got a length of ${maxLength}`,
  );
}

function ensemble(models: Seq2Seq | readonly Seq2Seq[]): readonly Seq2Seq[] {
  const members = Array.isArray(models) ? (models as readonly Seq2Seq[]) : [models as Seq2Seq];
  const [first] = members;
  if (!first) throw new Error('translate: there must be at least one model; got none');
  for (const { config } of members) {
    for (const key of ['sourceVocabulary', 'targetVocabulary', 'padId', 'unkId', 'bosId', 'eosId'] as const) {
      if (config[key] !== first.config[key]) {
        throw new Error(`translate: the models' ${key} must agree; got ${first.config[key]} and ${config[key]}`);
      }
    }
  }
  return members;
}

/** What copying each source token says, where one of the models copies. */
function copiesOf(models: readonly Seq2Seq[], ids: ArrayLike<number>): Int32Array | null {
  const copying = models.find(
    ({ config }) => (config.kind === 'transformer' ? config.transformer : config.decoder).copy,
  );
  const copyMap = copying?.config.copyMap;
  return copying ? Int32Array.from(ids, (id) => copyMap?.[id] ?? id) : null;
}

function translatedToken(path: Path, { copies }: SentenceSearch): TranslatedToken {
  const { token, logProbability, attention } = path;
  return { token, logProbability, attention, position: pointedTo(path, copies) };
}

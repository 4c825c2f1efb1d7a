import {
  type BytePairOptions,
  BytePairTokenizer,
  CharacterTokenizer,
  Normalizer,
  TextCodec,
  TextSide,
  type Tokenizer,
  WordTokenizer,
} from '@seqloom/data-tokenizer';
import type { RunConfig, SideConfig } from '../config/run-config.js';
import type { TextPair } from '../data/load-data.js';
import { parseDirection } from '../data/pair-source.js';
import { InputError } from '../errors.js';

/** Learns both sides' vocabularies from the training pairs. */
export async function trainCodec(
  pairs: readonly TextPair[],
  config: Pick<RunConfig, 'text' | 'data'>,
): Promise<TextCodec> {
  const { text, data } = config;
  const [from, to] = data.direction === null ? [null, null] : parseDirection(data.direction);
  const own = text.share === 'nothing';
  const sideMinFrequency = { source: text.source.sideMinFrequency, target: text.target.sideMinFrequency };
  if (text.share !== 'merges' && (sideMinFrequency.source > 1 || sideMinFrequency.target > 1))
    throw new InputError(`text: sideMinFrequency is for share: merges; got share: ${text.share}`);
  const source = await learnable('source', text.source, from, pairs);
  const target = await learnable('target', own ? text.target : text.source, to, pairs);
  const [sourceTokenizer, targetTokenizer] = await tokenizersFor(source, target, text.share, sideMinFrequency);
  return new TextCodec({
    source: new TextSide(sourceTokenizer, source.language, source.normalizer),
    target: new TextSide(targetTokenizer, target.language, target.normalizer),
    direction: data.direction,
    maxPieces: text.maxPieces,
  });
}

/** A side's normalised text, and how to cut it. */
interface Learnable {
  readonly config: SideConfig;
  readonly language: string | null;
  readonly normalizer: Normalizer;
  readonly texts: readonly string[];
}

async function learnable(
  side: 'source' | 'target',
  config: SideConfig,
  name: string | null,
  pairs: readonly TextPair[],
): Promise<Learnable> {
  const normalizer = await Normalizer.load(config.normalize);
  const texts = pairs.map((pair) => normalizer.apply(pair[side]));
  return { config, language: languageOf(config.language, name), normalizer, texts };
}

async function tokenizersFor(
  source: Learnable,
  target: Learnable,
  share: RunConfig['text']['share'],
  sideMinFrequency: { readonly source: number; readonly target: number },
): Promise<[source: Tokenizer, target: Tokenizer]> {
  if (share === 'nothing') return [await learn(source, source.texts), await learn(target, target.texts)];
  if (share === 'vocabulary') {
    const one = await learn(source, [...source.texts, ...target.texts]);
    return [one, one];
  }
  const joint = await BytePairTokenizer.trainJoint(source.texts, target.texts, {
    ...bytePairOptions(source.config),
    sideMinFrequency,
  });
  return [joint.source, joint.target];
}

async function learn({ config, language }: Learnable, texts: Iterable<string>): Promise<Tokenizer> {
  const limits = {
    minFrequency: config.minFrequency,
    ...(config.vocabularySize !== null && { maxSize: config.vocabularySize }),
  };
  switch (config.tokenizer) {
    case 'word':
      return WordTokenizer.train(texts, { ...limits, ...(language !== null && { locale: language }) });
    case 'moses':
      return WordTokenizer.train(texts, {
        ...limits,
        segmentation: 'moses',
        ...(language !== null && { locale: language }),
      });
    case 'whitespace':
      return WordTokenizer.train(texts, { ...limits, segmentation: 'whitespace' });
    case 'character':
      return CharacterTokenizer.train(texts, limits);
    case 'bpe':
      return BytePairTokenizer.train(texts, bytePairOptions(config));
  }
}

function bytePairOptions({ vocabularySize, alphabet, minFrequency }: SideConfig): BytePairOptions {
  const size = vocabularySize ?? 8000;
  if (size < 260)
    throw new InputError(`text: a bpe vocabularySize must be at least 260 (256 bytes, 4 special pieces); got ${size}`);
  return { vocabularySize: size, alphabet, minFrequency: Math.max(2, minFrequency) };
}

/** A language tag that Intl takes, or null. */
function languageOf(given: string | null, name: string | null): string | null {
  if (given !== null) {
    if (isLanguage(given)) return given;
    throw new InputError(`text: the language must be a BCP 47 tag such as zh or de-AT; got "${given}"`);
  }
  return name !== null && isLanguage(name) ? name : null;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1 && /^[a-z]{2,3}\b/i.test(tag);
  } catch {
    return false;
  }
}

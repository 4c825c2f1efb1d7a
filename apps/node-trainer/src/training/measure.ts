import { batches, type EncodedPair, type TextCodec } from '@seqloom/data-tokenizer';
import { evaluateLoss, type SearchOptions, type Seq2Seq } from '@seqloom/seq2seq';
import { attentionMapToJson } from '../attention-map/attention-map.js';
import type { RunConfig } from '../config/run-config.js';
import type { SampleRecord, ScoreRecord } from '../report/run-report.js';
import { bleuTokenizerFor, type ScoreName, type ScoreSettings } from '../scores.js';
import { type Translation, Translator } from '../text/translator.js';
import type { EncodedPart } from './encoded-data.js';
import { type Item, scoreTranslations, toItems } from './translation-scores.js';

export interface Measured {
  /** Mean cross-entropy of a target token. */
  readonly loss: number;
  /** Percentage of target tokens that were the most probable, the true ones before them given. */
  readonly accuracy: number;
  readonly scores: Readonly<Record<string, ScoreRecord>>;
  readonly samples: readonly SampleRecord[];
  readonly items: readonly Item[];
  readonly translations: readonly string[];
}

export interface MeasureOptions {
  readonly scores: readonly ScoreName[];
  readonly settings: ScoreSettings;
  readonly search: SearchOptions;
  /** How many items are translated; all by default. */
  readonly limit?: number;
  readonly variants: boolean;
  /** Whether references are scored as they are, or normalised as the target text is. */
  readonly references: RunConfig['validation']['references'];
  readonly samples: number;
}

/** Loss over all pairs that are not too long, and scores of free-running translations of all. Not interruptible: half a measure would decide what is best. */
export async function measure(
  model: Seq2Seq,
  codec: TextCodec,
  part: EncodedPart,
  options: MeasureOptions,
): Promise<Measured> {
  const { loss, accuracy } = await teacherForced(model, part.ids);
  const items = toItems(part.all, options.variants).slice(0, options.limit);
  const translator = new Translator([model], codec);
  const wanted = options.scores.length > 0 ? items : items.slice(0, options.samples);
  const found = await translator.translate(
    wanted.map((item) => item.source),
    options.search,
  );
  const translations = found.map(({ hypotheses }) => hypotheses[0]?.text ?? '');
  const normalizer = options.references === 'normalized' ? codec.target.normalizer : undefined;
  const scored = options.scores.length > 0 && items.length > 0;
  return {
    loss,
    accuracy: 100 * accuracy,
    scores: scored ? scoreTranslations(translations, items, options.scores, options.settings, normalizer) : {},
    samples: found.slice(0, options.samples).map((translation, i) => toSample(translation, items[i]!)),
    items,
    translations,
  };
}

/** Loss a token and share of right tokens, the true ones before them given. */
export function teacherForced(model: Seq2Seq, ids: readonly EncodedPair[]) {
  return evaluateLoss(model, batches(ids, { sentences: 64, pool: ids.length }).epoch(0));
}

/** How a config wants its scores. */
export function scoreSettings(
  { data, validation }: Pick<RunConfig, 'data' | 'validation'>,
  language: string | null,
): ScoreSettings {
  return {
    tokenize: validation.bleuTokenizer ?? bleuTokenizerFor(language),
    lowercase: validation.lowercase,
    stripStress: validation.stripStress || data.stress === 'remove',
    items: validation.items,
  };
}

function toSample({ source, hypotheses: [best] }: Translation, item: Item): SampleRecord {
  return {
    source,
    reference: item.references.join(' | '),
    hypothesis: best?.text ?? '',
    attention: best?.attention ? attentionMapToJson(best.attention) : null,
  };
}

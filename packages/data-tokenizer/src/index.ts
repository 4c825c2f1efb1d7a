export { type Batch, type EncodedPair, makeBatch, type RowOptions } from './batching/batch.js';
export {
  type BatchOptions,
  BatchPlan,
  type BatchPosition,
  batches,
  type PaddingStatistics,
} from './batching/batches.js';
export { type Random, seededRandom } from './batching/random.js';
export { shuffle } from './batching/shuffle.js';
export { type Split, type SplitOptions, split } from './batching/split.js';
export { streamBatches } from './batching/stream-batches.js';
export { TextCodec, type TextCodecOptions, type TextFiles, type TextSettings } from './codec/text-codec.js';
export { type EncodedText, type SideSettings, TextSide } from './codec/text-side.js';
export type { ByteSource } from './corpus/byte-source.js';
export {
  Corpus,
  type CorpusOptions,
  openCorpus,
  type Pair,
  type ParallelSources,
} from './corpus/corpus.js';
export { CorpusError, type CorpusPosition } from './corpus/corpus-error.js';
export type { CorpusFormat } from './corpus/file-rows.js';
export type { PairFilters } from './corpus/filter.js';
export { type DefectPolicy, type LineDefect, type LineOptions, readLines } from './corpus/lines.js';
export { type CorpusReport, type CorpusWarning, type DropReason, describeReport, type Tally } from './corpus/report.js';
export {
  type BleuOptions,
  type BleuScore,
  type BleuSmoothing,
  bleu,
  bleuMetric,
  sentenceBleu,
} from './metrics/bleu.js';
export type { BleuTokenizerName } from './metrics/bleu-tokenizers.js';
export {
  type BootstrapOptions,
  bootstrapConfidence,
  type Confidence,
  type PairedBootstrap,
  pairedBootstrap,
} from './metrics/bootstrap.js';
export { type ChrfOptions, type ChrfScore, chrf, chrfMetric } from './metrics/chrf.js';
export {
  type EditRateScore,
  type PhonemeErrorRateOptions,
  phonemeErrorRate,
  phonemeErrorRateMetric,
  type WordErrorRateOptions,
  wordErrorRate,
  wordErrorRateMetric,
} from './metrics/edit-rate.js';
export { type ExactMatchOptions, type ExactMatchScore, exactMatch, exactMatchMetric } from './metrics/exact-match.js';
export { type Metric, type Scored, scoreCorpus } from './metrics/metric.js';
export { type References, referenceSets } from './metrics/references.js';
export { type TerOptions, type TerScore, ter, terMetric } from './metrics/ter.js';
export { AlignedText } from './normalize/aligned-text.js';
export { Normalizer } from './normalize/normalizer.js';
export { type NormalizationStep, normalizationSteps } from './normalize/steps.js';
export { type Sentence, type SentenceOptions, splitSentences } from './sentences.js';
export { CorpusStatistics, type CorpusSummary, describeStatistics } from './statistics/corpus-statistics.js';
export type { LengthSummary } from './statistics/length-histogram.js';
export type { SideStatistics } from './statistics/side-statistics.js';
export type { Alphabet } from './tokenizers/bpe/bpe-file.js';
export type { Dropout } from './tokenizers/bpe/merge-rules.js';
export type { BytePairOptions } from './tokenizers/bpe/train-bpe.js';
export { BytePairTokenizer, type JointOptions, type JointTokenizers } from './tokenizers/byte-pair-tokenizer.js';
export { CharacterTokenizer } from './tokenizers/character-tokenizer.js';
export type { TextSource } from './tokenizers/count-pieces.js';
export { measureTokenizer, type TokenizerReport } from './tokenizers/measure-tokenizer.js';
export { TokenizerFileError } from './tokenizers/pipeline/json-node.js';
export { type PipelineEncodeOptions, PipelineTokenizer } from './tokenizers/pipeline/pipeline-tokenizer.js';
export type {
  AddedTokenJSON,
  DecodeOptions,
  EncodeOptions,
  Encoding,
  Tokenizer,
  TokenizerJSON,
} from './tokenizers/tokenizer.js';
export { tokenizerFromJSON } from './tokenizers/tokenizer-from-json.js';
export { type WordOptions, WordTokenizer } from './tokenizers/word-tokenizer.js';
export type { Segmentation } from './tokenizers/words.js';
export {
  bosId,
  compareCodePoints,
  eosId,
  padId,
  specialTokens,
  unkId,
  Vocabulary,
  type VocabularyLimits,
} from './vocabulary.js';

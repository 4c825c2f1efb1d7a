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
export type { ByteSource } from './corpus/byte-source.js';
export {
  Corpus,
  type CorpusFormat,
  type CorpusOptions,
  openCorpus,
  type Pair,
  type ParallelSources,
} from './corpus/corpus.js';
export { CorpusError, type CorpusPosition } from './corpus/corpus-error.js';
export type { PairFilters } from './corpus/filter.js';
export { type DefectPolicy, type LineDefect, type LineOptions, readLines } from './corpus/lines.js';
export type { CorpusReport, CorpusWarning, DropReason, Tally } from './corpus/report.js';
export { CharacterTokenizer } from './tokenizers/character-tokenizer.js';
export type { TextSource } from './tokenizers/count-pieces.js';
export type { AddedTokenJSON, DecodeOptions, Encoding, Tokenizer, TokenizerJSON } from './tokenizers/tokenizer.js';
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

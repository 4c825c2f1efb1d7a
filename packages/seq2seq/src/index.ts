export { type BackendInfo, useBackend } from '@seqloom/tensor-ops';
export type { Batch, Sources } from './batch.js';
export { type FetchStoreOptions, fetchStore } from './checkpoint/fetch-store.js';
export {
  loadModel,
  loadUniqueState,
  type SaveModelOptions,
  saveModel,
  uniqueState,
} from './checkpoint/model-folder.js';
export { memoryStore, type Store } from './checkpoint/store.js';
export {
  bestCheckpoint,
  checkpointNames,
  type FoundCheckpoint,
  latestCheckpoint,
  readCheckpoint,
  type TrainingCheckpoint,
  writeCheckpoint,
} from './checkpoint/training-checkpoint.js';
export {
  type DecoderConfig,
  type EncoderConfig,
  type ModelConfig,
  type ModelConfigInput,
  modelConfigSchema,
  type RecurrentConfig,
  resolveModelConfig,
  type TransformerModelConfig,
} from './config/model-config.js';
export { ConfigError } from './config/parse.js';
export type { TransformerConfig } from './config/transformer-config.js';
export type { Decoded, DecodedStep, Decoder, DecoderMemory, DecoderState } from './decoder/decoder.js';
export type { Encoded, SourceEncoder } from './encoder.js';
export { type Evaluation, evaluateLoss } from './evaluate.js';
export { type LossOptions, Seq2Seq } from './model.js';
export { type Preset, type PresetOptions, presets } from './presets/notes.js';
export type { Finish, Hypothesis } from './search/hypothesis.js';
export { type SearchOptions, searchOptionsSchema } from './search/options.js';
export { type TranslatedToken, type TranslateOptions, translate, translateBatch } from './search/translate.js';
export type { BatchSource } from './training/batch-source.js';
export { TrainingDiverged } from './training/diverged.js';
export type {
  CheckpointEvent,
  DoneEvent,
  Metrics,
  StepEvent,
  TrainEnd,
  TrainEvent,
  ValidationEvent,
} from './training/events.js';
export { trainOptionsSchema } from './training/options.js';
export { type TrainOptions, train, type ValidationContext } from './training/train.js';

export { type BackendInfo, useBackend } from '@seqloom/tensor-ops';
export type { Batch, Sources } from './batch.js';
export { Bridge, type BridgeOptions } from './bridge.js';
export { type FetchStoreOptions, fetchStore } from './checkpoint/fetch-store.js';
export {
  loadModel,
  loadUniqueState,
  type SaveModelOptions,
  saveModel,
  uniqueState,
} from './checkpoint/model-folder.js';
export { type ModelFolderDefect, ModelFolderError } from './checkpoint/model-folder-error.js';
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
export { BahdanauDecoder } from './decoder/bahdanau.js';
export { ConcatDecoder } from './decoder/concat.js';
export { type Decoded, type DecodedStep, Decoder, type DecoderMemory, type DecoderState } from './decoder/decoder.js';
export { LuongDecoder } from './decoder/luong.js';
export { PlainDecoder } from './decoder/plain.js';
export { QkvDecoder } from './decoder/qkv.js';
export { RecurrentDecoder, type RecurrentDecoderOptions } from './decoder/recurrent-decoder.js';
export { type Encoded, Encoder, type EncoderOptions, SourceEncoder } from './encoder.js';
export { type Evaluation, evaluateLoss } from './evaluate.js';
export { type LossOptions, Seq2Seq } from './model.js';
export { CopyOutput, type CopyOutputOptions } from './output/copy-output.js';
export { Output, type OutputRows } from './output/output.js';
export { OutputLayer, type OutputLayerOptions } from './output/output-layer.js';
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
export { type CheckpointOptions, type TrainOptions, train, type ValidationContext } from './training/train.js';

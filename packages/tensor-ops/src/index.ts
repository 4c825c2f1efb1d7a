export { type BackendInfo, type BackendOptions, currentBackend, useBackend } from './backend.js';
export { addValues, readValues, viewValues, writeValues } from './io/raw-values.js';
export { readSafetensors, readSafetensorsMetadata, type WriteOptions, writeSafetensors } from './io/safetensors.js';
export type { StateDict, StateEntry } from './io/state-dict.js';
export { checkLengths, type Lengths } from './lengths.js';
export { Dropout, type DropoutOptions } from './nn/dropout.js';
export type { DropoutKey } from './nn/dropout-key.js';
export { Embedding, type EmbeddingOptions } from './nn/embedding.js';
export { LayerNorm, type LayerNormOptions } from './nn/layer-norm.js';
export { Linear, type LinearOptions } from './nn/linear.js';
export { Module } from './nn/module.js';
export {
  constantParameter,
  normalParameter,
  type Parameter,
  parameter,
  uniformParameter,
} from './nn/parameter.js';
export {
  type AdditiveAttentionOptions,
  additiveAttention,
  type CoverageTerm,
} from './ops/additive-attention.js';
export type { Attended } from './ops/attention-inputs.js';
export { type CrossEntropyOptions, crossEntropy } from './ops/cross-entropy.js';
export {
  type AttentionDropout,
  type DotAttentionOptions,
  dotAttention,
  multiHeadDotAttention,
  type WithQuery,
} from './ops/dot-attention.js';
export { dropout } from './ops/dropout.js';
export { type EmbeddingLookupOptions, embedding } from './ops/embedding.js';
export { type GruOptions, gruSequence } from './ops/gru-sequence.js';
export { layerNorm } from './ops/layer-norm.js';
export { linear } from './ops/linear.js';
export { linearCrossEntropy } from './ops/linear-cross-entropy.js';
export { linearPacked, type PackedWeight, type PackOptions, type Precision, packLinear } from './ops/linear-packed.js';
export { logSoftmax } from './ops/log-softmax.js';
export { type LstmState, lstmSequence } from './ops/lstm-sequence.js';
export { packRecurrent } from './ops/pack-recurrent.js';
export type { RecurrentWeights } from './ops/recurrence/inputs.js';
export {
  inputShape,
  type SequenceInput,
  type SequenceOutput,
  type SequenceState,
  type TableSequence,
} from './ops/recurrence/sequence-input.js';
export { type RnnOptions, rnnSequence } from './ops/rnn-sequence.js';
export { type SequenceOptions, scanSequence } from './ops/scan-sequence.js';
export { scoreTargets, type TargetScores } from './ops/score-targets.js';
export { type SoftmaxOptions, softmax } from './ops/softmax.js';
export { Adam, type AdamOptions, AdamW } from './optim/adam.js';
export { clipByGlobalNorm, globalNorm } from './optim/clip.js';
export { ExponentialMovingAverage, type MovingAverageOptions } from './optim/moving-average.js';
export { Optimizer } from './optim/optimizer.js';
export { Plateau, type PlateauOptions, type PlateauState } from './optim/plateau.js';
export {
  type CosineScheduleOptions,
  constantSchedule,
  cosineSchedule,
  type ExponentialScheduleOptions,
  exponentialSchedule,
  inverseSquareRootSchedule,
  type LinearScheduleOptions,
  linearSchedule,
  type Schedule,
  type WarmUpOptions,
} from './optim/schedules.js';
export { SGD, type SGDOptions } from './optim/sgd.js';
export type { OptimizerState } from './optim/slots.js';
export { type ValueAndGradients, valueAndGradients } from './optim/value-and-gradients.js';
export { deriveSeed, Random } from './random.js';
export { registerGradients } from './tfjs-gradients.js';
export { hasRelaxedSimd } from './wasm/relaxed-simd.js';

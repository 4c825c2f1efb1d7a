// The pointer-generator: a token is generated from the vocabulary or copied from the source, where attention points.
import { deriveSeed, embedding, Linear, logSoftmax, type TargetScores } from '@seqloom/tensor-ops';
import {
  add,
  argMax,
  cast,
  div,
  equal,
  exp,
  expandDims,
  log,
  mean,
  mul,
  reshape,
  type Scalar,
  sigmoid,
  sub,
  sum,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tensor2d,
  unsortedSegmentSum,
} from '@tensorflow/tfjs-core';
import type { StepWeights } from '../step-weights.js';
import { flatRows, IGNORED, Output, type OutputRows } from './output.js';
import { OutputLayer, type OutputLayerOptions } from './output-layer.js';

/** Keeps the logarithm of a probability of zero finite. */
const TINY = 1e-12;

export interface CopyOutputOptions extends OutputLayerOptions {
  /** For each source id the target id that copying it says: `<unk>` where the target side has no such token. Null: the same id. */
  copyMap?: readonly number[] | null;
}

/**
 * P(y) = g · softmax(f Wᵀ + b)_y + (1 − g) Σ_{i: m(xᵢ) = y} aᵢ with g = σ(f w + c) of the decoder's features f and attention a
 * (See et al. 2017, eq. 8 and 9, there of [context; state; input], which the features of decoder bahdanau with readout none are).
 * m says a source token's id on the target side (`copyMap`). What the target vocabulary does not hold is copied as `<unk>`, where
 * the paper extends the vocabulary for each source: who has the text puts it in at the position that attention points to.
 * Parameters as `OutputLayer`'s, and `gate.weight` [1, F], `gate.bias` [1].
 *
 * Label smoothing spreads its share over the vocabulary's distribution alone.
 */
export class CopyOutput extends Output {
  private readonly layer: OutputLayer;
  private readonly gate: Linear;
  private readonly copyMap: Int32Array | null;

  constructor({ copyMap = null, ...options }: CopyOutputOptions) {
    super();
    this.copyMap = copyMap && Int32Array.from(copyMap);
    this.layer = new OutputLayer(options);
    for (const [name, parameter] of this.layer.namedParameters()) this.own(name, parameter);
    this.gate = this.child(
      'gate',
      new Linear({ inputSize: options.featureSize, outputSize: 1, seed: deriveSeed(options.seed, 'gate') }),
    );
  }

  loss(rows: OutputRows, targets: Tensor1D, options: { labelSmoothing: number; divisor: number }): Scalar {
    const { labelSmoothing, divisor } = options;
    const ids = targets.dataSync();
    const real = Int32Array.from(ids.keys()).filter((row) => ids[row] !== IGNORED);
    const wanted = tensor1d(
      real.map((row) => ids[row]!),
      'int32',
    );
    const { features, weights, sources } = this.realRows(rows, real);
    const logVocabulary = logSoftmax(this.layer.logits(features)) as Tensor2D; // [N, V]
    const generated = exp(
      this.picked(
        logVocabulary,
        real.map((row) => ids[row]!),
      ),
    );
    const copied = sum(mul(weights, equal(sources, expandDims(cast(wanted, 'float32'), 1))), 1); // [N]
    const gate = this.gated(features);
    const mixed = add(mul(gate, generated), mul(sub(1, gate), copied));
    const loss = div(sum(log(add(mixed, TINY))), -divisor);
    if (labelSmoothing === 0) return loss as Scalar;
    const spread = div(sum(mean(logVocabulary, 1)), -divisor);
    return add(mul(loss, 1 - labelSmoothing), mul(spread, labelSmoothing)) as Scalar;
  }

  score(rows: OutputRows, targets: Tensor1D): TargetScores {
    const scores = this.logProbabilities(rows);
    const [wanted, guesses, all] = [targets.dataSync(), argMax(scores, 1).dataSync(), scores.dataSync()];
    const result = { loss: 0, correct: 0, rows: 0 };
    for (const [row, id] of wanted.entries()) {
      if (id === IGNORED) continue;
      result.rows++;
      result.loss -= all[row * scores.shape[1] + id]!;
      if (guesses[row] === id) result.correct++;
    }
    return result;
  }

  logProbabilities({ weights, source, ...rows }: OutputRows, stepWeights?: StepWeights): Tensor2D {
    const [N, S] = weights!.shape;
    const features = flatRows(rows.features);
    const vocabulary = exp(this.layer.logProbabilities({ features, weights, source }, stepWeights)) as Tensor2D; // [N, V]
    const V = vocabulary.shape[1];
    const copied = unsortedSegmentSum(reshape(weights!, [N * S]), placesOf(this.said(source), N, S, V), N * V); // [N·V]
    const gate = expandDims(this.gated(features), 1);
    return log(add(add(mul(gate, vocabulary), mul(sub(1, gate), reshape(copied, [N, V]))), TINY)) as Tensor2D;
  }

  /** The rows that are no padding, each with its source's ids. */
  private realRows({ weights, source, ...all }: OutputRows, real: Int32Array) {
    const features = flatRows(all.features);
    const each = features.shape[0] / source.shape[0];
    const rows = tensor1d(real, 'int32');
    return {
      features: embedding(features, rows) as Tensor2D,
      weights: embedding(weights!, rows) as Tensor2D,
      sources: embedding(
        tensor2d(Float32Array.from(this.said(source)), source.shape),
        tensor1d(
          real.map((row) => Math.floor(row / each)),
          'int32',
        ),
      ),
    };
  }

  /** What copying each source place says: target ids [B·S]. */
  private said(source: Tensor2D): Int32Array {
    const ids = source.dataSync<'int32'>();
    const { copyMap } = this;
    return copyMap ? ids.map((id) => copyMap[id]!) : ids;
  }

  /** One column of each row, [N, V] → [N]; a gather whose gradient touches nothing else. */
  private picked(scores: Tensor2D, columns: Int32Array): Tensor1D {
    const [N, V] = scores.shape;
    const places = tensor1d(
      columns.map((column, row) => row * V + column),
      'int32',
    );
    return reshape(embedding(reshape(scores, [N * V, 1]), places), [N]);
  }

  /** g [N]. */
  private gated(features: Tensor2D): Tensor1D {
    return sigmoid(reshape(this.gate.forward(features), [features.shape[0]])) as Tensor1D;
  }
}

/** Where each row's copies lie in [N, V] scores: row · V + id, int32 [N·S], of target ids [B·S]. */
function placesOf(ids: Int32Array, N: number, S: number, V: number): Tensor1D {
  const each = (N * S) / ids.length;
  const sourceOf = (row: number) => Math.floor(row / each);
  const places = Int32Array.from({ length: N * S }, (_, at) => {
    const row = Math.floor(at / S);
    return row * V + ids[sourceOf(row) * S + (at % S)]!;
  });
  return tensor1d(places, 'int32');
}

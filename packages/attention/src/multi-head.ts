import {
  type Attended,
  constantParameter,
  deriveSeed,
  linear,
  multiHeadDotAttention,
  type Parameter,
  type StateDict,
  uniformParameter,
} from '@seqloom/tensor-ops';
import { mean, slice, type Tensor, type Tensor1D, type Tensor2D, tidy } from '@tensorflow/tfjs-core';
import { type AttendOptions, Attention, type AttentionMemory, checkSizes, joinQuery } from './attention.js';

/** Sizes of a `MultiHeadAttention`. */
export interface MultiHeadAttentionOptions {
  /** Width of queries and contexts, and of all heads together (PyTorch's embed_dim). */
  size: number;
  /** Divides `size`. */
  numHeads: number;
  /** Width of the memory the keys are made from (kdim); `size` unless given. */
  keySize?: number;
  /** Width of the memory the values are made from (vdim); `size` unless given. */
  valueSize?: number;
  /** Biases of all four projections; true unless said. */
  bias?: boolean;
  /** Share of the weights dropped where `attend` gets a key, in [0, 1); 0 unless said. */
  dropout?: number;
  seed: number;
}

/** The three projections of the input, in the order in which PyTorch stacks them. */
const QUERY = 0;
const KEY = 1;
const VALUE = 2;

/**
 * context = W_O [head₁; …; head_K] with headₖ = scaled dot-product attention of query, keys and values projected for it.
 *
 * The parameters are PyTorch's nn.MultiheadAttention's, so its state_dict loads as it is: `in_proj_weight` [3·size, size],
 * or `q_proj_weight`, `k_proj_weight`, `v_proj_weight` where keySize or valueSize is not `size`; `in_proj_bias` [3·size],
 * `out_proj.weight` [size, size], `out_proj.bias` [size]. Its masks say where *not* to attend, ours where to.
 *
 * @see Vaswani et al. 2017, section 3.2.2; https://pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html
 * @example
 * const attention = new MultiHeadAttention({ size: 12, numHeads: 3, seed: 1 });
 * const x = tf.randomNormal([2, 5, 12]);
 * const { context, weights } = attention.attend(x, attention.project(x), { mask: causalMask(5) }); // self-attention
 * console.log(context.shape, weights.shape); // → 2,5,12 2,5,5
 */
export class MultiHeadAttention extends Attention {
  readonly numHeads: number;
  readonly valueSize: number;
  readonly dropout: number;
  private readonly stream: number;
  /** One stacked matrix, or three. */
  private readonly inputWeights: [Parameter] | [Parameter, Parameter, Parameter];
  private readonly inputBias: Parameter | null;
  private readonly outputWeight: Parameter;
  private readonly outputBias: Parameter | null;

  /** @throws Error when numHeads does not divide size, or dropout is outside [0, 1) */
  constructor({
    size,
    numHeads,
    keySize = size,
    valueSize = size,
    bias = true,
    dropout = 0,
    seed,
  }: MultiHeadAttentionOptions) {
    super('MultiHeadAttention', { querySize: size, memorySize: keySize, contextSize: size });
    checkSizes('MultiHeadAttention', { numHeads, valueSize });
    if (size % numHeads !== 0) {
      throw new Error(`MultiHeadAttention: numHeads must divide size; got ${numHeads} heads for size ${size}`);
    }
    if (!(dropout >= 0 && dropout < 1)) {
      throw new Error(`MultiHeadAttention: dropout must be in [0, 1); got ${dropout}`);
    }
    this.numHeads = numHeads;
    this.valueSize = valueSize;
    this.dropout = dropout;
    this.stream = deriveSeed(seed, 'dropout');
    const weight = (name: string, rows: number, columns: number): Parameter =>
      this.own(name, uniformParameter([rows, columns], Math.sqrt(6 / (rows + columns)), deriveSeed(seed, name)));
    this.inputWeights =
      keySize === size && valueSize === size
        ? [weight('in_proj_weight', 3 * size, size)]
        : [
            weight('q_proj_weight', size, size),
            weight('k_proj_weight', size, keySize),
            weight('v_proj_weight', size, valueSize),
          ];
    this.inputBias = bias ? this.own('in_proj_bias', constantParameter([3 * size], 0)) : null;
    const name = 'out_proj.weight';
    this.outputWeight = this.own(name, uniformParameter([size, size], 1 / Math.sqrt(size), deriveSeed(seed, name)));
    this.outputBias = bias ? this.own('out_proj.bias', constantParameter([size], 0)) : null;
  }

  /**
   * Keys and values of all heads.
   *
   * @param memory [B,S,keySize]
   * @param values [B,S,valueSize]; the memory itself unless given
   * @throws Error when a shape does not fit
   */
  override project(memory: Tensor, values: Tensor = memory): AttentionMemory {
    const { keys } = super.project(memory);
    if (values.rank !== 3 || values.shape[2] !== this.valueSize) {
      keys.dispose();
      throw new Error(`MultiHeadAttention.project: values must be [B,S,${this.valueSize}]; got [${values.shape}]`);
    }
    return { keys, values: this.input(VALUE, values) };
  }

  /**
   * `attend` with the weights of each head instead of their mean, which costs an op.
   *
   * @returns context [B,T,size] and weights [B,numHeads,T,S]; for a query [B,size], [B,size] and [B,numHeads,S]
   * @throws Error when shapes do not fit
   */
  attendHeads(
    query: Tensor,
    memory: AttentionMemory,
    options: AttendOptions = {},
  ): { context: Tensor; weights: Tensor } {
    this.check('attendHeads', query, options);
    const { mask, dropout: key } = options;
    return tidy(() => {
      const scale = 1 / Math.sqrt(this.querySize / this.numHeads);
      const dropout = key && { rate: this.dropout, key, stream: this.stream };
      const projected = this.input(QUERY, query);
      const heads = multiHeadDotAttention(projected, memory.keys, memory.values, this.numHeads, {
        scale,
        mask,
        dropout,
      });
      const bias = (this.outputBias ?? undefined) as Tensor1D | undefined;
      const context = linear(heads.context, this.outputWeight as unknown as Tensor2D, bias);
      return joinQuery(query, { context, weights: heads.weights }, options.withQuery);
    });
  }

  /** @throws Error also where PyTorch's attention was made with add_bias_kv, which this has not */
  override loadStateDict(dict: StateDict): void {
    if (dict.has('bias_k') || dict.has('bias_v')) {
      throw new Error('MultiHeadAttention.loadStateDict: add_bias_kv must be false; got "bias_k" and "bias_v"');
    }
    super.loadStateDict(dict);
  }

  protected override keysOf(memory: Tensor): Tensor {
    return this.input(KEY, memory);
  }

  /** Weights are the mean of the heads', as PyTorch gives them, but whole where some were dropped on the way to the context. */
  protected override weigh<Q extends Tensor>(query: Q, memory: AttentionMemory, options: AttendOptions): Attended<Q> {
    return tidy(() => {
      const { context, weights } = this.attendHeads(query, memory, options);
      return { context, weights: mean(weights, 1) } as Attended<Q>;
    });
  }

  /** x projected by the query's, the keys' or the values' matrix and bias. */
  private input(which: number, x: Tensor): Tensor {
    const size = this.querySize;
    return tidy(() => {
      const [stacked, ...others] = this.inputWeights as unknown as Tensor2D[];
      const weight =
        others.length > 0 ? [stacked, ...others][which] : slice(stacked as Tensor2D, [which * size, 0], [size, -1]);
      const bias = this.inputBias ? slice(this.inputBias as unknown as Tensor1D, which * size, size) : undefined;
      return linear(x, weight as Tensor2D, bias);
    });
  }
}

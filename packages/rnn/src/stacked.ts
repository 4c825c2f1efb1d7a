// Layers on layers: what RNN, GRU and LSTM share.
import {
  checkLengths,
  Dropout,
  type DropoutKey,
  deriveSeed,
  inputShape,
  type Lengths,
  Module,
  type SequenceInput,
  type StateDict,
} from '@seqloom/tensor-ops';
import { add, type Tensor, type Tensor2D, type Tensor3D, tidy } from '@tensorflow/tfjs-core';
import { bidirectional } from './bidirectional.js';
import type { CellOptions, RecurrentCell } from './cell.js';
import { type Layer, unidirectional } from './layer.js';
import { PreparedWeights } from './prepared-weights.js';
import { joinStates, type RecurrentState, splitState } from './state.js';

/** Sizes and shape of a stack of recurrent layers. */
export interface RecurrentOptions extends CellOptions {
  /** 1 where left out. */
  numLayers?: number | undefined;
  /** Whether a second cell in each layer reads backwards; false where left out. */
  bidirectional?: boolean | undefined;
  /** Share of what goes from layer to layer that is dropped where a key is given (so none with one layer); 0 where left out. */
  dropout?: number | undefined;
  /** Whether each layer from the second on adds its input (before dropout) to its output; false where left out. */
  residual?: boolean | undefined;
}

/** What `forward` takes beside the sequence. */
export interface ForwardOptions {
  /** Real steps of each row, 0 to T; all T where left out. */
  lengths?: Lengths | undefined;
  /** Zeros where left out. */
  initialState?: RecurrentState | undefined;
  /** Decides the dropout masks; nothing is dropped without it. */
  dropout?: DropoutKey | undefined;
  /** What `prepare` gave: these weights are read instead of the parameters, which then get no gradient. */
  prepared?: PreparedWeights | undefined;
}

/** What `step` takes beside the input. */
export interface StepOptions {
  /** Masks the same elements at every step with the same key. */
  dropout?: DropoutKey | undefined;
  /** What `prepare` gave: the step reads these weights instead of the parameters. */
  prepared?: PreparedWeights | undefined;
}

/** One or more recurrent layers under PyTorch's names: `weight_ih_l0`, `weight_hh_l0_reverse`, `bias_ih_l1`, … */
export abstract class Recurrent extends Module {
  readonly inputSize: number;
  readonly hiddenSize: number;
  readonly numLayers: number;
  readonly bidirectional: boolean;
  /** Size of the last axis of the output: D·H. */
  readonly outputSize: number;
  private readonly residual: boolean;
  private readonly cells: RecurrentCell[] = [];
  private readonly layers: Layer[];
  /** Between layer i and the next. */
  private readonly dropouts: Dropout[];

  constructor(
    private readonly name: string,
    options: RecurrentOptions,
    private readonly hasCell: boolean,
    makeCell: (options: CellOptions) => RecurrentCell,
  ) {
    super();
    const { inputSize, hiddenSize, numLayers = 1, bidirectional: both = false, dropout = 0, bias, seed } = options;
    if (!Number.isInteger(numLayers) || numLayers < 1) {
      throw new Error(`${name}: numLayers must be a whole number above 0; got ${numLayers}`);
    }
    if (!(dropout >= 0 && dropout < 1)) throw new Error(`${name}: dropout must be in [0, 1); got ${dropout}`);
    this.inputSize = inputSize;
    this.hiddenSize = hiddenSize;
    this.numLayers = numLayers;
    this.bidirectional = both;
    this.outputSize = (both ? 2 : 1) * hiddenSize;
    this.residual = options.residual ?? false;
    const cell = (layer: number, suffix: string) => {
      const size = layer === 0 ? inputSize : this.outputSize;
      const made = makeCell({ inputSize: size, hiddenSize, bias, seed: deriveSeed(seed, `l${layer}${suffix}`) });
      for (const [name, parameter] of made.namedParameters()) {
        this.own(
          name.replace(/^[^.]+/, (own) => `${own}_l${layer}${suffix}`),
          parameter,
        );
      }
      this.cells.push(made);
      return made;
    };
    this.layers = Array.from({ length: numLayers }, (_, l) =>
      both ? bidirectional(cell(l, ''), cell(l, '_reverse')) : unidirectional(cell(l, '')),
    );
    this.dropouts = Array.from(
      { length: numLayers - 1 },
      (_, l) => new Dropout({ rate: dropout, seed: deriveSeed(seed, `dropout ${l}`) }),
    );
  }

  /**
   * A whole sequence.
   *
   * @param x [B, T, I], or the same as rows of a table
   * @returns output [B, T, D·H] of the last layer, zero after each row's length; state of all layers after each row's last real step
   * @throws Error when x, lengths, the initial state or what was prepared do not fit
   */
  forward(
    x: SequenceInput,
    { lengths, initialState, dropout, prepared }: ForwardOptions = {},
  ): { output: Tensor3D; state: RecurrentState } {
    const shape = inputShape(x);
    const [B, T, I] = shape;
    if (shape.length !== 3 || I !== this.inputSize) {
      throw new Error(`${this.name}.forward: x must be [B, T, ${this.inputSize}]; got [${shape}]`);
    }
    if (lengths) checkLengths(`${this.name}.forward`, lengths, B, T);
    if (initialState) this.checkState('forward', initialState, B);
    const { output, state } = this.run('forward', x, { lengths, initialState, dropout, prepared });
    return { output: output as Tensor3D, state };
  }

  /**
   * One step, for decoding.
   *
   * @param x [B, I]
   * @param state of all layers, as `forward` and `step` return it
   * @returns output [B, H] of the last layer; the next state
   * @throws Error when the layers are bidirectional, or x, the state or what was prepared do not fit
   */
  step(
    x: Tensor2D,
    state: RecurrentState,
    { dropout, prepared }: StepOptions = {},
  ): { output: Tensor2D; state: RecurrentState } {
    if (this.bidirectional) throw new Error(`${this.name}.step: a bidirectional ${this.name} cannot go step by step`);
    if (x.rank !== 2 || x.shape[1] !== this.inputSize) {
      throw new Error(`${this.name}.step: x must be [B, ${this.inputSize}]; got [${x.shape}]`);
    }
    const [B] = x.shape;
    this.checkState('step', state, B);
    const ran = this.run('step', x, { initialState: state, dropout, prepared });
    return { output: ran.output as Tensor2D, state: ran.state };
  }

  /**
   * The weights as they are now, laid out for many steps or short sequences; give it to each `step` and `forward`, dispose it at the
   * end. Training the layers meanwhile does not change it: prepare again after an update.
   */
  prepare(): PreparedWeights {
    return new PreparedWeights(this.cells);
  }

  /** @throws Error also where PyTorch's layers were made with proj_size, which these have not */
  override loadStateDict(dict: StateDict): void {
    const projection = [...dict.keys()].find((name) => name.startsWith('weight_hr_'));
    if (projection !== undefined) {
      throw new Error(`${this.name}.loadStateDict: proj_size must be 0; got the projection "${projection}"`);
    }
    super.loadStateDict(dict);
  }

  private run(
    method: string,
    x: SequenceInput,
    { lengths, initialState, dropout, prepared }: ForwardOptions,
  ): { output: Tensor; state: RecurrentState } {
    const weights = prepared?.of(this.cells, `${this.name}.${method}`);
    return tidy(() => {
      const D = this.bidirectional ? 2 : 1;
      const initial = initialState && splitState(initialState);
      let output: Tensor | undefined; // of the layer before
      const states = this.layers.flatMap((layer, l) => {
        const input = output ? (this.dropouts[l - 1]!.within(output, dropout) as Tensor2D | Tensor3D) : x;
        const own = <T>(all: readonly T[] | undefined) => all?.slice(l * D, l * D + D);
        const ran = layer(input, own(initial) ?? null, lengths, own(weights));
        output = this.residual && output ? add(ran.output, output) : ran.output;
        return ran.states;
      });
      return { output: output!, state: joinStates(states) };
    });
  }

  private checkState(method: string, { hidden, cell }: RecurrentState, B: number): void {
    const L = this.numLayers * (this.bidirectional ? 2 : 1);
    for (const [name, tensor] of Object.entries({ hidden, cell })) {
      if (!tensor) continue;
      const [l, rows, size] = tensor.shape;
      if (tensor.rank !== 3 || l !== L || rows !== B || size !== this.hiddenSize) {
        throw new Error(
          `${this.name}.${method}: the ${name} state must be [${[L, B, this.hiddenSize]}]; got [${tensor.shape}]`,
        );
      }
    }
    if (!cell === this.hasCell) {
      throw new Error(`${this.name}.${method}: the state must ${this.hasCell ? 'have' : 'not have'} a cell`);
    }
  }
}

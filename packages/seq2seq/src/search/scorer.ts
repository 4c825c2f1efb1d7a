// The models' side of a search: rows of tokens go in, log-probabilities and attention come out. Owns the tensors between steps.
import { viewValues } from '@seqloom/tensor-ops';
import { addN, dispose, div, exp, log, type Tensor, tensor1d } from '@tensorflow/tfjs-core';
import type { Sources } from '../batch.js';
import type { DecoderMemory, DecoderState } from '../decoder/decoder.js';
import { selectMemory, selectState } from '../decoder/rows.js';
import { kept, tensorsIn } from '../kept.js';
import type { Seq2Seq } from '../model.js';
import { StepWeights } from '../step-weights.js';

/** Scores of one step, row by row; they may be changed, and hold as long as nothing makes a tensor. */
export interface RowScores {
  /** [R, V] */
  readonly logProbabilities: Float32Array;
  /** [R, S], or null without attention. */
  readonly weights: Float32Array | null;
}

interface Member {
  readonly model: Seq2Seq;
  readonly weights: StepWeights;
  memory: DecoderMemory;
  state: DecoderState;
}

/** One model, or several whose probabilities are averaged, on their way through the same sentences. */
export class Scorer {
  private readonly members: Member[] = [];

  constructor(models: readonly Seq2Seq[], sources: Sources) {
    try {
      for (const model of models) {
        const weights = model.stepWeights ?? new StepWeights();
        this.members.push({ model, weights, ...kept(() => model.encode(sources, undefined, weights)) });
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Reads one token a row and returns what `choose` makes of the scores; the rows of one source lie together. */
  advance<T>(tokens: Int32Array, choose: (scores: RowScores) => T): T {
    let chosen: T; // beside tidy's result, in which tfjs would look at every value for tensors
    const states = kept(() => {
      const read = tensor1d(tokens, 'int32');
      const steps = this.members.map(({ model, memory, state, weights }) =>
        model.decoder.step(read, memory, state, weights),
      );
      const rows = steps.map(({ features, weights }, i) => {
        const { model, memory, weights: stepWeights } = this.members[i]!;
        return model.output.logProbabilities({ features, weights, source: memory.source }, stepWeights);
      });
      const logProbabilities = meanProbability(rows);
      const weights = steps.flatMap((step) => step.weights ?? []);
      const meanWeights = weights.length > 0 ? mean(weights) : null;
      chosen = choose({
        logProbabilities: viewValues(logProbabilities),
        weights: meanWeights && viewValues(meanWeights),
      });
      return steps.map(({ state }) => state);
    });
    for (const [i, member] of this.members.entries()) replace(member, 'state', states[i]!);
    return chosen!;
  }

  /** Row r of the next step continues row `rows[r]`; `sources`, where given, are the sentences that stay. */
  select(rows: Int32Array, sources: Int32Array | null): void {
    for (const member of this.members) {
      replace(member, 'state', selectState(member.state, rows));
      if (sources) replace(member, 'memory', selectMemory(member.memory, sources));
    }
  }

  dispose(): void {
    for (const { model, memory, state, weights } of this.members) {
      dispose([...tensorsIn(memory), ...tensorsIn(state)]);
      if (weights !== model.stepWeights) weights.dispose();
    }
    this.members.length = 0;
  }
}

/** Puts a new value in place and frees what only the old one held. */
function replace<K extends 'memory' | 'state'>(member: Member, name: K, value: Member[K]): void {
  const stays = new Set(tensorsIn(value));
  dispose(tensorsIn(member[name]).filter((tensor) => !stays.has(tensor)));
  member[name] = value;
}

function mean(tensors: Tensor[]): Tensor {
  return tensors.length === 1 ? tensors[0]! : div(addN(tensors), tensors.length);
}

/** log of the mean of the probabilities. */
function meanProbability(logProbabilities: Tensor[]): Tensor {
  return logProbabilities.length === 1 ? logProbabilities[0]! : log(mean(logProbabilities.map((row) => exp(row))));
}

// Every combination of cell, direction, decoder and score, and whether each learns to copy.
import { type ModelConfigInput, Seq2Seq, train, translateBatch } from '../index.js';
import { batchOf, sequences } from './copy-task.js';

type DecoderInput = NonNullable<ModelConfigInput['decoder']>;

export interface Combination {
  /** Its parts, such as `gru, both ways, luong, additive`. */
  readonly name: string;
  readonly config: Omit<ModelConfigInput, 'sourceVocabulary' | 'targetVocabulary' | 'seed'>;
}

export const cells = ['rnn', 'gru', 'lstm'] as const;
export const directions = ['one way', 'both ways'] as const;
export const scores = ['dot', 'scaled-dot', 'general', 'additive', 'concat', 'multi-head'] as const;

/** Decoders with attention, by the name they have here. */
export const decoders: Record<string, DecoderInput> = {
  concat: { kind: 'concat' },
  luong: { kind: 'luong' },
  'luong with input feeding': { kind: 'luong', inputFeeding: true },
  bahdanau: { kind: 'bahdanau' },
  qkv: { kind: 'qkv' },
  'qkv, context alone': { kind: 'qkv', contextInput: 'alone' },
};

/** Of the decoder's state; simple cells need more of it. */
const sizeOf = (cell: string): number => (cell === 'rnn' ? 128 : 64);

/** All of them: 3 cells × 2 directions × (no attention, or 6 decoders × 6 scores), and 4 Transformers. */
export function combinations(): Combination[] {
  return [
    ...cells.flatMap((cell) => directions.flatMap((direction) => recurrent(cell, direction))),
    ...(['pre', 'post'] as const).flatMap((norm) =>
      (['sinusoidal', 'learned'] as const).map((positions) => ({
        name: `transformer, ${norm}-norm, ${positions} positions`,
        config: {
          transformer: { size: 64, feedForwardSize: 128, encoderLayers: 1, decoderLayers: 1, norm, positions },
        },
      })),
    ),
  ];
}

function recurrent(cell: (typeof cells)[number], direction: (typeof directions)[number]): Combination[] {
  const bidirectional = direction === 'both ways';
  const size = sizeOf(cell);
  // the encoder's outputs are as wide as the decoder's state, as scores without a matrix need
  const encoder = { cell, hiddenSize: bidirectional ? size / 2 : size, embeddingSize: 32, bidirectional };
  const sides = (kind: string, decoder: DecoderInput): Combination => ({
    name: `${cell}, ${direction}, ${kind}`,
    config: { encoder, decoder: { hiddenSize: size, ...decoder }, bridge: 'last' },
  });
  return [
    sides('plain', { kind: 'plain' }),
    ...Object.entries(decoders).flatMap(([kind, decoder]) =>
      scores.map((attention) =>
        sides(`${kind}, ${attention}`, {
          ...decoder,
          attention,
          ...(attention === 'multi-head' && { attentionHeads: 4 }),
        }),
      ),
    ),
  ];
}

/** Adam, the rate falling to nothing in each round: where one was too short, the next takes longer. */
const ROUNDS = [250, 500, 1000, 2000];

/** Sequences of up to 5 of 8 symbols; simple recurrent cells get up to 4, and learn slower. */
function lesson({ encoder }: Combination['config']) {
  const symbols = { symbols: 8, shortest: 1 };
  return encoder?.cell === 'rnn'
    ? { task: { ...symbols, longest: 4 }, learningRate: 1.5e-3 }
    : { task: { ...symbols, longest: 5 }, learningRate: 3e-3 };
}

export interface Learnt {
  /** Share of held-out sequences copied without a mistake, by greedy search. */
  readonly exact: number;
  readonly steps: number;
  readonly seconds: number;
}

/** What counts as learnt. */
export const NEEDED = 0.99;
/**
 * Trains on random sequences, 64 a step, for as many rounds as it takes until all of some 300 to 400 others are copied right;
 * then judges, once, by as many further ones. No sequence is of two kinds; those held out have 3 symbols or more.
 */
export async function learnToCopy({ config }: Combination): Promise<Learnt> {
  const began = performance.now();
  const { task, learningRate } = lesson(config);
  const heldOut = new Map(sequences(800, { ...task, shortest: 3, seed: 1 }).map((ids) => [String(ids), ids]));
  const distinct = [...heldOut.values()];
  const [watched, judged] = [0, 1].map((half) => distinct.filter((_, i) => i % 2 === half)) as [number[][], number[][]];
  const model = Seq2Seq.create({ ...config, sourceVocabulary: 12, targetVocabulary: 12, seed: 1 });
  let taken = 0;
  for (const steps of ROUNDS) {
    const batches = Array.from({ length: steps }, (_, i) => {
      const known = sequences(64, { ...task, seed: 2 + taken + i }).filter((ids) => !heldOut.has(String(ids)));
      return batchOf(known.map((ids) => [ids, ids]));
    });
    const options = {
      optimizer: { learningRate },
      schedule: { name: 'cosine', warmUpSteps: 20, totalSteps: steps },
    } as const;
    for await (const event of train(model, batches, options)) if (event.type === 'step') taken++;
    if ((await copied(model, watched)) === 1) break;
  }
  const exact = await copied(model, judged);
  model.dispose();
  return { exact, steps: taken, seconds: (performance.now() - began) / 1000 };
}

async function copied(model: Seq2Seq, among: number[][]): Promise<number> {
  const found = await translateBatch(model, among, { maxLength: 8, batchSize: 100 });
  return found.filter(([best], i) => String(best!.tokens) === String(among[i])).length / among.length;
}

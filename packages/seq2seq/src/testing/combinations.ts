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

const SIZE = 64;

/** All of them: 3 cells × 2 directions × (no attention, or 6 decoders × 6 scores), and 4 Transformers. */
export function combinations(): Combination[] {
  return [
    ...cells.flatMap((cell) => directions.flatMap((direction) => recurrent(cell, direction))),
    ...(['pre', 'post'] as const).flatMap((norm) =>
      (['sinusoidal', 'learned'] as const).map((positions) => ({
        name: `transformer, ${norm}-norm, ${positions} positions`,
        config: {
          transformer: { size: SIZE, feedForwardSize: 128, encoderLayers: 1, decoderLayers: 1, norm, positions },
        },
      })),
    ),
  ];
}

function recurrent(cell: (typeof cells)[number], direction: (typeof directions)[number]): Combination[] {
  const bidirectional = direction === 'both ways';
  // the encoder's outputs are as wide as the decoder's state, as scores without a matrix need
  const encoder = { cell, hiddenSize: bidirectional ? SIZE / 2 : SIZE, embeddingSize: SIZE / 2, bidirectional };
  const sides = (kind: string, decoder: DecoderInput): Combination => ({
    name: `${cell}, ${direction}, ${kind}`,
    config: { encoder, decoder: { hiddenSize: SIZE, ...decoder }, bridge: 'last' },
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

/**
 * Sequences of up to 5 of 8 symbols, Adam at 5e-3. Simple recurrent cells get up to 4 symbols and more steps, at a lower rate where
 * the last state alone must carry them.
 */
function lesson({ encoder, decoder }: Combination['config']) {
  const task = { symbols: 8, shortest: 1, longest: 5 };
  if (encoder?.cell !== 'rnn') return { task, learningRate: 5e-3, most: 2000 };
  const shorter = { ...task, longest: 4 };
  return decoder?.kind === 'plain'
    ? { task: shorter, learningRate: 2e-3, most: 5000 }
    : { task: shorter, learningRate: 4e-3, most: 3000 };
}

export interface Learnt {
  /** Share of held-out sequences copied without a mistake, by greedy search. */
  readonly exact: number;
  readonly steps: number;
  readonly seconds: number;
}

/**
 * Trains on random sequences, 64 a step, until at most one of 200 held-out ones is wrong at two checks in a row; then judges by 400
 * others. Held-out ones have 3 symbols or more and are never trained on.
 */
export async function learnToCopy({ config }: Combination): Promise<Learnt> {
  const began = performance.now();
  const { task, learningRate, most } = lesson(config);
  const heldOut = sequences(600, { ...task, shortest: 3, seed: 1 });
  const [watched, judged] = [heldOut.slice(0, 200), heldOut.slice(200)];
  const never = new Set(heldOut.map(String));
  const model = Seq2Seq.create({ ...config, sourceVocabulary: 12, targetVocabulary: 12, seed: 1 });
  const batches = function* () {
    for (let seed = 2; ; seed++) {
      const known = sequences(64, { ...task, seed }).filter((ids) => !never.has(String(ids)));
      yield batchOf(known.map((ids) => [ids, ids]));
    }
  };
  let taken = 0;
  let inARow = 0;
  const options = {
    optimizer: { learningRate },
    schedule: { name: 'cosine', warmUpSteps: 20, totalSteps: most, finalShare: 0.05 },
    steps: most,
  } as const;
  for await (const event of train(model, batches(), options)) {
    if (event.type !== 'step') continue;
    taken = event.step;
    if (taken % 50 !== 0) continue;
    inARow = (await copied(model, watched)) >= 0.995 ? inARow + 1 : 0;
    if (inARow === 2) break;
  }
  const exact = await copied(model, judged);
  model.dispose();
  return { exact, steps: taken, seconds: (performance.now() - began) / 1000 };
}

async function copied(model: Seq2Seq, among: number[][]): Promise<number> {
  const found = await translateBatch(model, among, { maxLength: 8, batchSize: 100 });
  return found.filter(([best], i) => String(best!.tokens) === String(among[i])).length / among.length;
}

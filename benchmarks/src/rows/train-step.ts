// One training step (forward, backward, Adam) of the GRU model with dot attention: ours against stock tfjs and PyTorch.
import { versus } from '../compare.js';
import { nodeContender, pythonContender } from '../contender.js';
import type { Entry } from '../entry.js';
import { GROWTH, SIZES, type Sizes, sizeName } from '../sizes.js';

const ours = (size: Sizes, workers: number) => () => nodeContender('train-step', { ...size, workers });

/** Stock tfjs as its own layers compose it, and as its ops can be composed by hand to be fast. */
function versusTfjs(size: Sizes): Entry[] {
  const rivals = { 'vs-tfjs': 'tfjs-layers-train-step', 'vs-tfjs-by-hand': 'tfjs-train-step' };
  return Object.entries(rivals).map(([rival, program]) => {
    const name = `train-step/${sizeName(size)}/${rival}`;
    return { name, run: () => versus(name, ours(size, 1), () => nodeContender(program, size), 5) };
  });
}

function versusTorch(size: Sizes, workers: number, threads: number): Entry {
  const { B, T, V, H } = size;
  const name = `train-step${workers > 1 ? `-${workers}-workers` : ''}/${sizeName(size)}/vs-torch${threads > 1 ? `-${threads}-threads` : ''}`;
  const run: Entry['run'] = async ({ python }) =>
    python === null
      ? null
      : versus(name, ours(size, workers), () => pythonContender(python, 'train_step', [threads, B, T, V, H]), 9);
  return { name, run };
}

/** Two workers against one. */
function versusOneWorker(size: Sizes): Entry {
  const name = `train-step-2-workers/${sizeName(size)}/vs-1-worker`;
  return { name, run: () => versus(name, ours(size, 2), ours(size, 1), 7) };
}

/** The model of `pnpm demo` on our kernels, against the same composed of tfjs' ops. */
const demoStep: Entry = {
  name: 'demo-step/vs-composed',
  run: () => {
    const model = {
      encoder: { cell: 'gru', hiddenSize: 64, bidirectional: true, embeddingSize: 64 },
      decoder: { kind: 'luong', attention: 'scaled-dot', hiddenSize: 128, embeddingSize: 64 },
    };
    const options = { B: 64, T: 7, V: 450, H: 128, workers: 1, model };
    const side = (composed: boolean) => () => nodeContender('train-step', { ...options, composed });
    return versus(demoStep.name, side(false), side(true), 7);
  },
};

export const trainStep: Entry[] = [
  ...SIZES.map((size) => versusTorch(size, 1, 1)),
  ...SIZES.slice(1).flatMap((size) => [versusTorch(size, 2, 1), versusTorch(size, 2, 2), versusOneWorker(size)]),
  ...GROWTH.map((size) => versusTorch(size, 1, 1)),
  demoStep,
  ...SIZES.flatMap(versusTfjs),
];

// One training step (forward, backward, Adam) of the GRU model with dot attention: ours against stock tfjs and PyTorch.
import { compare } from '../compare.js';
import { nodeContender, pythonContender } from '../contender.js';
import type { Entry } from '../entry.js';
import { SIZES, type Sizes, sizeName } from '../sizes.js';

const versusTfjs = (size: Sizes): Entry => ({
  name: `train-step/${sizeName(size)}/vs-tfjs`,
  async run() {
    const [ours, theirs] = [
      await nodeContender('train-step', { ...size, workers: 1 }),
      await nodeContender('tfjs-train-step', size),
    ];
    try {
      return await compare(this.name, ours, theirs, 5);
    } finally {
      ours.close();
      theirs.close();
    }
  },
});

const versusTorch = (size: Sizes, workers: number, threads: number): Entry => ({
  name: `train-step${workers > 1 ? `-${workers}-workers` : ''}/${sizeName(size)}/vs-torch${threads > 1 ? `-${threads}-threads` : ''}`,
  async run({ python }) {
    if (!python) return null;
    const ours = await nodeContender('train-step', { ...size, workers });
    const theirs = await pythonContender(python, 'train_step', [threads, size.B, size.T, size.V, size.H]);
    try {
      return await compare(this.name, ours, theirs, 9);
    } finally {
      ours.close();
      theirs.close();
    }
  },
});

export const trainStep: Entry[] = [
  ...SIZES.map((size) => versusTorch(size, 1, 1)),
  ...SIZES.slice(1).flatMap((size) => [versusTorch(size, 2, 1), versusTorch(size, 2, 2)]),
  ...SIZES.map(versusTfjs),
];

// Translating one sentence of 20 tokens into 20: greedy against PyTorch, a beam of five against greedy's five rows, 8-bit weights against float.
import { versus } from '../compare.js';
import { nodeContender, pythonContender } from '../contender.js';
import type { Entry } from '../entry.js';

const ours =
  (beam: number, int8: boolean, rows = 1) =>
  () =>
    nodeContender('decode', { beam, rows, int8 });

export const decode: Entry[] = [
  {
    name: 'decode/greedy/float',
    run: async ({ python }) =>
      python === null
        ? null
        : versus('decode/greedy/float', ours(1, false), () => pythonContender(python, 'decode', []), 9),
  },
  { name: 'decode/greedy/int8', run: () => versus('decode/greedy/int8', ours(1, true), ours(1, false), 9) },
  { name: 'decode/beam5/float', run: () => versus('decode/beam5/float', ours(5, false), ours(1, false, 5), 9) },
  { name: 'decode/beam5/int8', run: () => versus('decode/beam5/int8', ours(5, true), ours(5, false), 9) },
];

// An LSTM layer, forward and backward, against tfjs-layers' on stock wasm.
import { versus } from '../compare.js';
import { nodeContender } from '../contender.js';
import type { Entry } from '../entry.js';

const size = { B: 64, T: 20, H: 256 };

export const lstm: Entry[] = [
  {
    name: 'lstm/B64-T20-H256/vs-tfjs-layers',
    run: () =>
      versus(
        'lstm/B64-T20-H256/vs-tfjs-layers',
        () => nodeContender('lstm', size),
        () => nodeContender('tfjs-layers-lstm', size),
        5,
      ),
  },
];

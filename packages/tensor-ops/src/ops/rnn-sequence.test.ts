import { describe } from 'vitest';
import { rnnSequenceReference } from '../reference/rnn-sequence.js';
import { type SequenceOp, testSequenceOp } from '../testing/sequences.js';
import { rnnSequence } from './rnn-sequence.js';

for (const nonlinearity of ['tanh', 'relu'] as const) {
  const op =
    (run: typeof rnnSequence): SequenceOp =>
    (x, initial, weights, options) => {
      const { output, state } = run(x, initial?.[0] ?? null, weights, { ...options, nonlinearity });
      return { output, state: [state] };
    };
  describe(nonlinearity, () => testSequenceOp(op(rnnSequence), op(rnnSequenceReference), 1, 1));
}

import { describe } from 'vitest';
import { gruSequenceReference } from '../reference/gru-sequence.js';
import { type SequenceOp, testSequenceOp } from '../testing/sequences.js';
import { gruSequence } from './gru-sequence.js';

for (const resetAfter of [true, false]) {
  const op =
    (run: typeof gruSequence): SequenceOp =>
    (x, initial, weights, options) => {
      const { output, state } = run(x, initial?.[0] ?? null, weights, { ...options, resetAfter });
      return { output, state: [state] };
    };
  describe(resetAfter ? 'reset after the product' : 'reset before the product', () =>
    testSequenceOp(op(gruSequence), op(gruSequenceReference), 3, 1),
  );
}

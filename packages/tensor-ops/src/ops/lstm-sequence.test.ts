import { lstmSequenceReference } from '../reference/lstm-sequence.js';
import { type SequenceOp, testSequenceOp } from '../testing/sequences.js';
import { lstmSequence } from './lstm-sequence.js';

const op =
  (run: typeof lstmSequence): SequenceOp =>
  (x, initial, weights, options) => {
    const start = initial && { hidden: initial[0]!, cell: initial[1]! };
    const { output, state } = run(x, start, weights, options);
    return { output, state: [state.hidden, state.cell] };
  };

testSequenceOp(op(lstmSequence), op(lstmSequenceReference), 4, 2);

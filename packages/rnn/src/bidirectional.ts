import { concat, type Tensor } from '@tensorflow/tfjs-core';
import type { RecurrentCell } from './cell.js';
import type { Layer } from './layer.js';

/** A layer of two cells, one of which reads each row from its last real step backwards; outputs side by side, forward first. */
export function bidirectional(forward: RecurrentCell, reverse: RecurrentCell): Layer {
  return (x, initial, lengths, weights) => {
    const there = forward.scan(x, initial?.[0] ?? null, { lengths, weights: weights?.[0] });
    const back = reverse.scan(x, initial?.[1] ?? null, { lengths, weights: weights?.[1], reverse: true });
    return { output: concat([there.output, back.output] as Tensor[], -1), states: [there.state, back.state] };
  };
}

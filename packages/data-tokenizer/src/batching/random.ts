import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of random numbers that depends on nothing but its seed. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform whole number in [0, bound). */
  below(bound: number): number;
}

/** The stream of a seed, or of a seed and a number such as an epoch's: near seeds give unrelated streams. */
export function seededRandom(seed: number, stream = 0): Random {
  const generator = xoroshiro128plus(scramble(seed ^ scramble(stream + 1)));
  return {
    next: () => uniformFloat64(generator),
    below: (bound) => uniformInt(generator, 0, bound - 1),
  };
}

// The finalizer of MurmurHash3: every bit of the input changes half of the output's.
function scramble(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

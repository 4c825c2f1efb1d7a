// Seeded random numbers: the same seed gives the same numbers on every machine.
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A stream of random numbers (xoroshiro128+) whose state can be kept and restored. */
export class Random {
  private generator: RandomGenerator;

  constructor(seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  /** A stream that goes on where `state()` was taken. */
  static fromState(state: readonly number[]): Random {
    const random = new Random(0);
    random.generator = xoroshiro128plusFromState(state);
    return random;
  }

  /** What `fromState` needs to go on from here. */
  state(): readonly number[] {
    return this.generator.getState();
  }

  /** A number in [low, high). */
  uniform(low = 0, high = 1): number {
    return low + (high - low) * uniformFloat64(this.generator);
  }

  /** A whole number in [0, below). */
  integer(below: number): number {
    return uniformInt(this.generator, 0, below - 1);
  }

  /** A number of the standard normal distribution (Box–Muller). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }
}

/** Another seed for the part `name` of something seeded with `seed` (FNV-1a), so that parts do not share their numbers. */
export function deriveSeed(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 15)) | 0;
}

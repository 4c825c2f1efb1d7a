import { expect, it } from 'vitest';
import { seededRandom } from '../batching/random.js';
import { shuffleInPlace } from '../batching/shuffle.js';
import { BeamAlignment } from './beam-alignment.js';

it('a rearrangement has the distance and the alignment that it has when every row is computed', () => {
  const random = seededRandom(1);
  const { below } = random;
  for (const [own, other] of [
    [120, 120],
    [120, 90],
    [90, 130],
    [4, 300],
    [300, 4],
  ] as const) {
    const reference = Int32Array.from({ length: other }, () => below(40));
    let words = Int32Array.from({ length: own }, (_, i) => reference[i] ?? below(40));
    const alignment = new BeamAlignment(reference, words);
    for (let round = 0; round < 60; round++) {
      const from = below(own);
      const to = Math.min(own, from + 1 + below(30));
      const block = [...words.subarray(from, to)];
      shuffleInPlace(block, random);
      const moved = words.slice();
      moved.set(block, from);
      const whole = new BeamAlignment(reference, moved);
      expect(alignment.distanceOf(moved, from, to)).toBe(whole.distance);
      if (round % 3 > 0) continue;
      words = moved;
      alignment.rebase(words, from, to);
      expect(alignment.distance).toBe(whole.distance);
      expect(alignment.align()).toEqual(whole.align());
    }
  }
});

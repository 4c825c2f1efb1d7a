// The counter-based generator behind dropout: kernels/dropout.ts computes the same words.
import type { DropoutKey } from '../nn/dropout-key.js';

/** Two 32-bit words that stand for seed, step and stream. */
export interface DropoutWords {
  keyA: number;
  keyB: number;
}

/** Hashes seed, step and stream into two words, each by a chain of its own. */
export function dropoutWords({ seed, step }: DropoutKey, stream: number): DropoutWords {
  const chain = (start: number) =>
    [seed, seed / 2 ** 32, step, step / 2 ** 32, stream, stream / 2 ** 32].reduce<number>(
      (hash, word) => mix((hash ^ Math.floor(word)) + 0x9e3779b9),
      start,
    );
  return { keyA: chain(0x243f6a88), keyB: chain(0x85a308d3) };
}

/** Elements whose word is below this are dropped. */
export function dropoutThreshold(rate: number): number {
  return Math.floor(rate * 2 ** 32);
}

/** Where the rows of masks begin for one head of one batch row, the `head`-th of all: a row for each of up to 2¹⁶ queries. */
export function attentionDropoutRow(head: number): number {
  return head << 16;
}

/** The mask of `rows` rows: 0 where dropped, else 1/(1-rate). */
export function dropoutMask(rows: number, width: number, rate: number, key: DropoutKey, stream: number): Float32Array {
  const { keyA, keyB } = dropoutWords(key, stream);
  const threshold = dropoutThreshold(rate);
  const scale = Math.fround(1 / (1 - rate));
  const mask = new Float32Array(rows * width);
  for (let r = 0; r < rows; r++) {
    const row = key.rowOffset + r;
    const [first, second] = [mix(keyA ^ row), mix((keyB + row) | 0)];
    for (let i = 0; i < width; i++) {
      if (hash(i, first, second) >= threshold) mask[r * width + i] = scale;
    }
  }
  return mask;
}

/** A bijection of 32-bit words in which every input bit moves every output bit (Wellons' lowbias32). */
function mix(word: number): number {
  let x = word | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** The word of the element at `index`, in [0, 2³²). */
function hash(index: number, first: number, second: number): number {
  let x = index ^ first;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul((x ^ (x >>> 15)) + second, 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

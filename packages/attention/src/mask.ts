// Masks are bool tensors, true = attend here: [B,S], or [B,T,S] with B or T = 1 where one serves all.
import { checkLengths, type Lengths } from '@seqloom/tensor-ops';
import { expandDims, logicalAnd, type Tensor, type Tensor2D, type Tensor3D, tensor, tidy } from '@tensorflow/tfjs-core';

/**
 * True at the first lengths[b] positions of row b.
 *
 * @param width S
 * @returns [B,S] bool
 * @throws Error when a length is not a whole number in [0, width]
 * @example
 * console.log(JSON.stringify(lengthMask([3, 1], 4).arraySync())); // → [[1,1,1,0],[1,0,0,0]]
 */
export function lengthMask(lengths: Lengths, width: number): Tensor2D {
  checkLengths('lengthMask', lengths, lengths.length, width);
  const rows = lengths.length;
  return maskOf([rows, width], (at) => at % width < (lengths[Math.floor(at / width)] as number));
}

/** True where key s ≤ query t: no position sees a later one. @returns [1,T,T] bool */
export function causalMask(length: number): Tensor3D {
  return windowMask(length, { after: 0 });
}

/**
 * True where t − before ≤ s ≤ t + after; a side that is not given is open.
 *
 * @returns [1,T,T] bool
 * @throws Error when length, before or after is negative or not whole
 * @example
 * const mask = windowMask(4, { before: 1, after: 0 }); // itself and the one before
 * console.log(JSON.stringify(mask.arraySync())); // → [[[1,0,0,0],[1,1,0,0],[0,1,1,0],[0,0,1,1]]]
 */
export function windowMask(length: number, { before, after }: { before?: number; after?: number } = {}): Tensor3D {
  for (const [name, count] of Object.entries({ length, before: before ?? 0, after: after ?? 0 })) {
    if (!Number.isInteger(count) || count < 0) {
      throw new Error(`windowMask: ${name} must be a whole number, 0 or more; got ${count}`);
    }
  }
  return maskOf([1, length, length], (at) => {
    const distance = (at % length) - Math.floor(at / length);
    return distance >= -(before ?? length) && distance <= (after ?? length);
  });
}

/**
 * True where all of the masks are; missing ones allow everything.
 *
 * @param masks [B,S] or [B,T,S] bool, B and T may be 1
 * @returns [B,S] when all of them are of rank 2, else [B,T,S]; undefined when none is given
 * @throws Error when a mask is not bool or of another rank
 * @example
 * console.log(combineMasks(lengthMask([3, 1], 3), causalMask(3)).shape); // → 2,3,3
 */
export function combineMasks(...masks: [Tensor, ...(Tensor | undefined)[]]): Tensor;
export function combineMasks(...masks: (Tensor | undefined)[]): Tensor | undefined;
export function combineMasks(...masks: (Tensor | undefined)[]): Tensor | undefined {
  const given = masks.filter((mask) => mask !== undefined);
  for (const { dtype, rank, shape } of given) {
    if (dtype !== 'bool' || (rank !== 2 && rank !== 3)) {
      throw new Error(`combineMasks: masks must be [B,S] or [B,T,S] bool; got [${shape}] ${dtype}`);
    }
  }
  const [first, ...others] = given;
  if (!first) return undefined;
  const flat = given.every(({ rank }) => rank === 2);
  return tidy(() => {
    const full = (mask: Tensor): Tensor => (flat || mask.rank === 3 ? mask.clone() : expandDims(mask, 1));
    return others.reduce((all, mask) => logicalAnd(all, full(mask)), full(first));
  });
}

function maskOf<T extends Tensor2D | Tensor3D>(shape: T['shape'], allows: (at: number) => boolean): T {
  const size = shape.reduce((product, n) => product * n, 1);
  const bytes = Uint8Array.from({ length: size }, (_, at) => (allows(at) ? 1 : 0));
  return tensor(bytes, shape, 'bool') as T;
}

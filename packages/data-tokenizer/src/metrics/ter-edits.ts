// The edits that TER counts (Snover et al. 2006): words inserted, deleted and replaced, and blocks of words shifted,
// each costing one. Shifts are searched greedily, with Tercom's heuristics and limits, which decide the score as much
// as the definition does: the order of candidates and the ties below are Tercom's.
import { BeamAlignment } from './beam-alignment.js';

const MAX_SHIFT_SIZE = 10;
const MAX_SHIFT_DISTANCE = 50;
const MAX_SHIFT_CANDIDATES = 1000;

/** Moving `length` words from `start` to before `target`. */
interface Shift {
  readonly gain: number;
  readonly start: number;
  readonly length: number;
  readonly target: number;
}

/** The number of edits, shifts included, that turn `hypothesis` into `reference`. */
export function countTerEdits(hypothesis: readonly string[], reference: readonly string[]): number {
  if (reference.length === 0) return hypothesis.length;
  const numbers = new Map<string, number>();
  const number = (word: string) => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const target = Int32Array.from(reference, number);
  let words = Int32Array.from(hypothesis, number);
  const alignment = new BeamAlignment(target, words);
  let shifts = 0;
  for (let candidates = 0; ; ) {
    const search = findBestShift(alignment, words, target, candidates);
    candidates = search.candidates;
    // Having looked at too many candidates, Tercom's successor gives up the shift just found too.
    if (candidates >= MAX_SHIFT_CANDIDATES || search.best === undefined || search.best.gain <= 0) break;
    words = shifted(words, search.best);
    alignment.rebase(words, ...touched(search.best));
    shifts += 1;
  }
  return shifts + alignment.distance;
}

function findBestShift(
  alignment: BeamAlignment,
  words: Int32Array,
  reference: Int32Array,
  alreadyTried: number,
): { best: Shift | undefined; candidates: number } {
  const { facing, hypothesisErrors, referenceErrors } = alignment.align();
  let candidates = alreadyTried;
  let best: Shift | undefined;
  const [ownNear, otherNear] = [nearErrors(hypothesisErrors), nearErrors(referenceErrors)];
  for (const [start, at, length] of commonBlocks(words, reference, ownNear, otherNear)) {
    // Only a block that is wrong where it stands, wanted where it would go, and not already facing its place.
    if (!hasError(hypothesisErrors, start, length) || !hasError(referenceErrors, at, length)) continue;
    const faces = facing[at] as number;
    if (faces >= start && faces < start + length) continue;

    let previous = -1;
    for (let offset = -1; offset < length; offset++) {
      const target = at + offset < 0 ? 0 : (facing[at + offset] as number) + 1;
      if (target === previous) continue;
      previous = target;
      const move = { start, length, target };
      const gain = alignment.distance - alignment.distanceOf(shifted(words, move), ...touched(move));
      candidates += 1;
      if (best === undefined || isBetter({ ...move, gain }, best)) best = { ...move, gain };
    }
    if (candidates >= MAX_SHIFT_CANDIDATES) break;
  }
  return { best, candidates };
}

/** Most gain first, then the longest block, then the earliest block, then the earliest target. */
function isBetter(candidate: Shift, best: Shift): boolean {
  if (candidate.gain !== best.gain) return candidate.gain > best.gain;
  if (candidate.length !== best.length) return candidate.length > best.length;
  if (candidate.start !== best.start) return candidate.start < best.start;
  return candidate.target < best.target;
}

/** Every `[start in hypothesis, start in reference, length]` of equal words, short ones before long ones, where both are near an error. */
function* commonBlocks(
  hypothesis: Int32Array,
  reference: Int32Array,
  ownNear: Uint8Array,
  otherNear: Uint8Array,
): Generator<[number, number, number]> {
  for (let start = 0; start < hypothesis.length; start++) {
    if (ownNear[start] === 0) continue;
    const from = Math.max(0, start - MAX_SHIFT_DISTANCE);
    const to = Math.min(reference.length, start + MAX_SHIFT_DISTANCE + 1);
    for (let at = from; at < to; at++) {
      if (otherNear[at] === 0) continue;
      for (let length = 1; length <= MAX_SHIFT_SIZE; length++) {
        const last = hypothesis[start + length - 1];
        if (last === undefined || last !== reference[at + length - 1]) break;
        yield [start, at, length];
      }
    }
  }
}

/** For each word 1 if a block that begins with it can hold an error, else 0. */
function nearErrors(errors: Uint8Array): Uint8Array {
  const near = new Uint8Array(errors.length);
  let next = Infinity;
  for (let index = errors.length - 1; index >= 0; index--) {
    if (errors[index] === 1) next = index;
    if (next < index + MAX_SHIFT_SIZE) near[index] = 1;
  }
  return near;
}

function hasError(errors: Uint8Array, start: number, length: number): boolean {
  for (let index = start; index < start + length; index++) if (errors[index] === 1) return true;
  return false;
}

/** No word before the first index moves, nor one from the second on. */
function touched({ start, length, target }: Omit<Shift, 'gain'>): [from: number, to: number] {
  return [Math.min(start, target), Math.max(start, target) + length];
}

function shifted(words: Int32Array, { start, length, target }: Omit<Shift, 'gain'>): Int32Array<ArrayBuffer> {
  const result = new Int32Array(words);
  const end = start + length;
  if (target < start) {
    result.copyWithin(target + length, target, start);
    result.set(words.subarray(start, end), target);
  } else {
    // A target inside the block moves it by as many words as the target is inside of it, as far as there are words.
    const destination = Math.min(target > end ? target - length : target, words.length - length);
    result.copyWithin(start, end, destination + length);
    result.set(words.subarray(start, end), destination);
  }
  return result;
}

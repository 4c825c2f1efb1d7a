import fc from 'fast-check';

/** Sizes that break kernels: none, one, around the vector's four and the panel's six and eight, odd, and some beyond a block. */
const SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 33, 50];

/**
 * Runs `check` on random tuples of such sizes; the failing tuple is made as small as possible and printed.
 *
 * @param names one letter a size, as in the op's legend
 * @example
 * forSizes('MIO', ({ M, I, O }, seed) => expectSame(linear, linearReference, [randomTensor([M, I], seed), …]));
 */
export function forSizes<Letters extends string>(
  names: Letters,
  check: (sizes: Record<Character<Letters>, number>, seed: number) => void,
  { runs = 40, least = 0, most = Number.POSITIVE_INFINITY }: { runs?: number; least?: number; most?: number } = {},
): void {
  const size = fc.constantFrom(...SIZES.filter((n) => n >= least && n <= most));
  const sizes = fc.record(Object.fromEntries([...names].map((letter) => [letter, size])));
  fc.assert(
    fc.property(sizes, fc.nat(1_000_000), (drawn, seed) => check(drawn as Record<Character<Letters>, number>, seed)),
    { numRuns: runs, seed: 7 },
  );
}

type Character<S extends string> = S extends `${infer First}${infer Rest}` ? First | Character<Rest> : never;

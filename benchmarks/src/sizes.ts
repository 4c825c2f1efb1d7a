/** The training steps that are measured. B rows, T source and target length, V vocabulary, H hidden and embedding. */
export const SIZES = [
  { B: 5, T: 5, V: 20, H: 128 },
  { B: 32, T: 12, V: 200, H: 128 },
  { B: 64, T: 20, V: 1000, H: 256 },
  { B: 64, T: 20, V: 8000, H: 256 },
] as const;

const BASE = { B: 32, T: 12, V: 1000, H: 128 };

/** How the cost grows: each size twice and four times as large as in the first row, alone. */
export const GROWTH: Sizes[] = [
  BASE,
  ...(['B', 'T', 'V', 'H'] as const).flatMap((letter) =>
    [2, 4].map((times) => ({ ...BASE, [letter]: BASE[letter] * times })),
  ),
];

export interface Sizes {
  B: number;
  T: number;
  V: number;
  H: number;
}

/** B32-T12-V200-H128 */
export function sizeName({ B, T, V, H }: Sizes): string {
  return `B${B}-T${T}-V${V}-H${H}`;
}

// The innermost loops of the matrix product, unrolled for 1 to 6 rows of A against 8 columns of B: text of
// kernels/micro.generated.ts. A is packed [k][rows], B [k][8], k padded to a multiple of 4 by the packers.
// Few rows leave registers free, so they sum into several independent sets to hide the latency of the multiply-add.
const SHAPES = [
  { rows: 1, unroll: 4, sets: 4 },
  { rows: 2, unroll: 4, sets: 2 },
  { rows: 3, unroll: 2, sets: 2 },
  { rows: 4, unroll: 1, sets: 1 },
  { rows: 5, unroll: 4, sets: 1 },
  { rows: 6, unroll: 2, sets: 1 },
];
const HALVES = [0, 1];
const range = (n: number) => [...Array(n).keys()];

export function microKernels(): string {
  return [
    '// Made by scripts/micro-kernels.ts.',
    'import { madd } from "./math";',
    ...SHAPES.map(({ rows, unroll, sets }) => microKernel(rows, unroll, sets)),
    '',
  ].join('\n');
}

function microKernel(rows: number, unroll: number, sets: number): string {
  const cells = range(rows).flatMap((row) => HALVES.map((half) => ({ row, half, at: `${row}_${half}` })));
  const declare = range(sets).flatMap((set) => cells.map(({ at }) => `  let c${set}_${at} = f32x4.splat(0);`));
  const step = range(unroll).flatMap((u) => [
    `    { const b0 = v128.load(b, ${u * 32}), b1 = v128.load(b, ${u * 32 + 16});`,
    ...range(rows).map((row) => {
      const sums = HALVES.map((half) => `c${u % sets}_${row}_${half}`);
      return `      { const s = v128.load_splat<f32>(a, ${(u * rows + row) * 4}); ${sums.map((c, half) => `${c} = madd(s, b${half}, ${c});`).join(' ')} }`;
    }),
    '    }',
  ]);
  const sum = (terms: string[]): string =>
    terms.length === 1
      ? (terms[0] as string)
      : `v128.add<f32>(${sum(terms.slice(0, terms.length / 2))}, ${sum(terms.slice(terms.length / 2))})`;
  const fold =
    sets === 1 ? [] : cells.map(({ at }) => `  c0_${at} = ${sum(range(sets).map((set) => `c${set}_${at}`))};`);
  const write = (value: (at: string, half: number) => string) =>
    range(rows).map(
      (row) =>
        `    ${HALVES.map((half) => `v128.store(c, ${value(`c0_${row}_${half}`, half)}, ${half * 16});`).join(' ')} c += ldc;`,
    );
  return [
    `/** C[${rows},8] (+)= A B over K steps; ldc in bytes. */`,
    `export function micro${rows}(a: usize, b: usize, c: usize, ldc: usize, K: i32, accumulate: bool): void {`,
    ...declare,
    '  const end = b + (<usize>K << 5);',
    '  while (b < end) {',
    ...step,
    `    b += ${unroll * 32}; a += ${unroll * rows * 4};`,
    '  }',
    ...fold,
    '  if (accumulate) {',
    ...write((c, half) => `v128.add<f32>(v128.load(c, ${half * 16}), ${c})`),
    '  } else {',
    ...write((c) => c),
    '  }',
    '}',
  ].join('\n');
}

// The innermost loops of the matrix product: text of kernels/micro.generated.ts. Each keeps a tile of C in registers, and that
// decides the speed: V8 has fifteen vector registers to give, and one accumulator that does not fit halves it. So the big tiles
// do one step at a time (the compiler would merge the steps of an unrolled loop and need more), while few rows, which leave
// registers over, sum into several independent sets to hide the latency of the multiply-add.
interface Shape {
  rows: number;
  columns: number;
  /** Steps written out in the loop. */
  unroll: number;
  /** Independent sums. */
  sets: number;
  /** Both panels packed: steps that the compiler knows, so that it has fewer addresses to compute and unrolls the loop itself. */
  packed?: boolean;
}

const SHAPES: Shape[] = [
  { rows: 1, columns: 8, unroll: 4, sets: 4 },
  { rows: 1, columns: 32, unroll: 1, sets: 1 },
  { rows: 2, columns: 8, unroll: 2, sets: 2 },
  { rows: 3, columns: 8, unroll: 2, sets: 2 },
  { rows: 4, columns: 8, unroll: 1, sets: 1 },
  { rows: 5, columns: 8, unroll: 1, sets: 1 },
  { rows: 6, columns: 8, unroll: 1, sets: 1 },
  { rows: 4, columns: 8, unroll: 1, sets: 1, packed: true },
  { rows: 6, columns: 8, unroll: 1, sets: 1, packed: true },
];
const range = (n: number) => [...Array(n).keys()];

export function microKernels(): string {
  const header = ['// Made by scripts/micro-kernels.ts. Strides in bytes; init is added where it is not 0.'];
  return [...header, 'import { madd } from "./math";', ...SHAPES.map(microKernel), ''].join('\n');
}

function microKernel({ rows, columns, unroll, sets, packed = false }: Shape): string {
  const vectors = range(columns / 4);
  const cells = range(rows).flatMap((row) => vectors.map((v) => `${row}_${v}`));
  const from = packed
    ? {
        name: `micro${rows}x${columns}Packed`,
        parameters: 'a: usize, b: usize',
        begin: [],
        bStep: '32',
        splat: (row: number) => `v128.load_splat<f32>(a, ${row * 4})`,
        next: `b += 32; a += ${rows * 4};`,
      }
    : {
        name: `micro${rows}x${columns}`,
        parameters: 'a0: usize, aRow: usize, aStep: usize, b: usize, bStep: usize',
        begin: [...range(rows - 1).map((row) => `  const a${row + 1} = a${row} + aRow;`), '  let i: usize = 0;'],
        bStep: 'bStep',
        splat: (row: number) => `v128.load_splat<f32>(a${row} + i)`,
        next: 'b += bStep; i += aStep;',
      };
  const step = (set: number) => [
    `    { ${vectors.map((v) => `const b${v} = v128.load(b, ${v * 16});`).join(' ')}`,
    ...range(rows).map((row) => {
      const sums = vectors.map((v) => `c${set}_${row}_${v} = madd(s, b${v}, c${set}_${row}_${v});`);
      return `      { const s = ${from.splat(row)}; ${sums.join(' ')} }`;
    }),
    `      ${from.next} }`,
  ];
  const loop = (end: string, body: string[]) => [`  while (b < ${end}) {`, ...body, '  }'];
  const unrolled = [
    `  const most = b + <usize>(K - K % ${unroll}) * ${from.bStep};`,
    ...loop(
      'most',
      range(unroll).flatMap((u) => step(u % sets)),
    ),
    `  const end = b + <usize>(K % ${unroll}) * ${from.bStep};`,
  ];
  const sum = (terms: string[]): string =>
    terms.length === 1
      ? (terms[0] as string)
      : `v128.add<f32>(${sum(terms.slice(0, terms.length / 2))}, ${sum(terms.slice(terms.length / 2))})`;
  const eachRow = (perVector: (cell: string, offset: number) => string, then: string) =>
    range(rows).map((row) => `    ${vectors.map((v) => perVector(`c0_${row}_${v}`, v * 16)).join(' ')} ${then}`);
  return [
    `/** C[${rows},${columns}] = init + A B over K steps${packed ? ', both panels packed' : ''}. */`,
    `export function ${from.name}(${from.parameters}, K: i32, c: usize, cRow: usize, init: usize, initRow: usize): void {`,
    ...from.begin,
    ...range(sets).flatMap((set) => cells.map((cell) => `  let c${set}_${cell} = f32x4.splat(0);`)),
    ...(unroll > 1 ? unrolled : [`  const end = b + <usize>K * ${from.bStep};`]),
    ...loop('end', step(0)),
    ...(sets > 1 ? cells.map((cell) => `  c0_${cell} = ${sum(range(sets).map((set) => `c${set}_${cell}`))};`) : []),
    '  if (init) {',
    ...eachRow((cell, at) => `${cell} = v128.add<f32>(${cell}, v128.load(init, ${at}));`, 'init += initRow;'),
    '  }',
    ...eachRow((cell, at) => `v128.store(c, ${cell}, ${at});`, 'c += cRow;'),
    '}',
  ].join('\n');
}

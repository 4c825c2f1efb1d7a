// Matrix products: share of the 128-bit peak, and against stock tfjs.
import { type Row, versus } from '../compare.js';
import { type Contender, nodeContender } from '../contender.js';
import type { Entry } from '../entry.js';

const FORMS = { NN: [false, false], NT: [false, true], TN: [true, false] } as const;
const SHAPES = [
  { M: 1280, K: 512, N: 8000 },
  { M: 64, K: 256, N: 768 },
];

/** Both answer GFLOP/s, so more is better. */
async function versusRate(
  name: string,
  ours: () => Promise<Contender>,
  theirs: () => Promise<Contender>,
): Promise<Row> {
  const row = await versus(name, ours, theirs, 7);
  return { ...row, ratio: row.ours / (row.theirs ?? Number.NaN), unit: 'GFLOP/s' };
}

export const product: Entry[] = SHAPES.flatMap(({ M, K, N }) =>
  Object.entries(FORMS).flatMap(([form, [transposeA, transposeB]]) => {
    const options = { M, K, N, transposeA, transposeB };
    const ours = () => nodeContender('product', { ...options, stock: false });
    const [peak, tfjs] = ['share-of-peak', 'vs-tfjs'].map((suffix) => `gemm/${form}/${M}x${K}x${N}/${suffix}`) as [
      string,
      string,
    ];
    return [
      { name: peak, run: ({ relaxed }) => versusRate(peak, ours, () => nodeContender('peak', { relaxed })) },
      { name: tfjs, run: () => versusRate(tfjs, ours, () => nodeContender('product', { ...options, stock: true })) },
    ] satisfies Entry[];
  }),
);

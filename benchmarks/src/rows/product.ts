// Matrix products: share of the 128-bit peak, and against stock tfjs.
import { compare, type Row } from '../compare.js';
import { type Contender, nodeContender } from '../contender.js';
import type { Entry } from '../entry.js';

const FORMS = { NN: [false, false], NT: [false, true], TN: [true, false] } as const;
const SHAPES = [
  { M: 1280, K: 512, N: 8000 },
  { M: 64, K: 256, N: 768 },
];

/** Both answer GFLOP/s, so more is better. */
async function compareRates(name: string, ours: Contender, theirs: Contender, rounds: number): Promise<Row> {
  const row = await compare(name, ours, theirs, rounds);
  return { ...row, ratio: row.ours / (row.theirs ?? Number.NaN), unit: 'GFLOP/s' };
}

export const product: Entry[] = SHAPES.flatMap(({ M, K, N }) =>
  Object.entries(FORMS).flatMap(([form, [transposeA, transposeB]]) => {
    const options = { M, K, N, transposeA, transposeB };
    const against = (suffix: string, rival: (relaxed: boolean) => Promise<Contender>): Entry => ({
      name: `gemm/${form}/${M}x${K}x${N}/${suffix}`,
      async run({ relaxed }) {
        const [ours, theirs] = [await nodeContender('product', { ...options, stock: false }), await rival(relaxed)];
        try {
          return await compareRates(this.name, ours, theirs, 7);
        } finally {
          ours.close();
          theirs.close();
        }
      },
    });
    return [
      against('share-of-peak', (relaxed) => nodeContender('peak', { relaxed })),
      against('vs-tfjs', () => nodeContender('product', { ...options, stock: true })),
    ];
  }),
);

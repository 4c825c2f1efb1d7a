import type { Contender } from './contender.js';

/** What one row of the table holds; `ratio` above 1 means ours is faster. */
export interface Row {
  name: string;
  ours: number;
  theirs: number | null;
  ratio: number | null;
  unit: string;
  /** Smallest and largest of ours and theirs. */
  spread: { ours: [number, number]; theirs: [number, number] | null };
}

/** Times two contenders in turn (A B A B …): medians, and their ratio. */
export async function compare(name: string, ours: Contender, theirs: Contender, rounds = 7): Promise<Row> {
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < rounds; round++) {
    a.push(await ours.measure());
    b.push(await theirs.measure());
  }
  return {
    name,
    ours: median(a),
    theirs: median(b),
    ratio: median(b) / median(a),
    unit: 'ms',
    spread: { ours: extent(a), theirs: extent(b) },
  };
}

/** Starts two contenders, compares them and ends them. */
export async function versus(
  name: string,
  ours: () => Promise<Contender>,
  theirs: () => Promise<Contender>,
  rounds: number,
): Promise<Row> {
  const a = await ours();
  try {
    const b = await theirs();
    try {
      return await compare(name, a, b, rounds);
    } finally {
      b.close();
    }
  } finally {
    a.close();
  }
}

/** Times one contender that has no rival. */
export async function alone(name: string, start: () => Promise<Contender>, rounds: number): Promise<Row> {
  const ours = await start();
  try {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await ours.measure());
    return {
      name,
      ours: median(times),
      theirs: null,
      ratio: null,
      unit: 'ms',
      spread: { ours: extent(times), theirs: null },
    };
  } finally {
    ours.close();
  }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function extent(values: number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

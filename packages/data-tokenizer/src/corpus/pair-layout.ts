import type { ColumnReference } from './table.js';

/** Which columns are the sides. */
export interface LayoutOptions {
  readonly columns?: readonly ColumnReference[];
  readonly source?: ColumnReference;
  readonly target?: ColumnReference;
}

/** Where the sides of a pair, and its other properties, stand among a row's values. */
export interface PairLayout {
  readonly source: number;
  readonly target: number;
  readonly named: readonly { name: string; index: number }[];
}

// Names that a pair has anyway, and numbers, which are no names.
const unnamed = /^(?:source|target|line|\d+)$/;

/** @throws Error if a side is no column, or both are the same. */
export function layOut(columns: readonly string[], options: LayoutOptions): PairLayout {
  const find = (side: 'source' | 'target', fallback: number): number => {
    const wanted = options[side];
    if (wanted === undefined) return fallback;
    const index = columns.indexOf(String(wanted));
    const position = index === -1 ? (options.columns ?? []).indexOf(wanted) : index;
    if (position === -1)
      throw new Error(`openCorpus: ${side} must be one of the columns ${columns.join(', ')}; got ${wanted}`);
    return position;
  };
  const source = find('source', 0);
  const target = find('target', 1);
  if (source === target)
    throw new Error(`openCorpus: source and target must be two columns; got ${columns[source]} twice`);
  const named = columns.map((name, index) => ({ name, index })).filter(({ name }) => !unnamed.test(name));
  return { source, target, named };
}

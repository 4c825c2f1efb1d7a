/** What a model looked at: one row a target piece, one column a source piece, each row summing to one. */
export interface AttentionMap {
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** `weights[t][s]`, aligned with `target` and `source`. */
  readonly weights: readonly ArrayLike<number>[];
}

/** The map as plain JSON, with weights rounded to 6 digits. */
export function attentionMapToJson(map: AttentionMap): {
  source: readonly string[];
  target: readonly string[];
  weights: number[][];
} {
  return {
    source: map.source,
    target: map.target,
    weights: map.weights.map((row) => Array.from(row, (weight) => Number(weight.toFixed(6)))),
  };
}

/** A weight as it is shown: `.07`, `.83`, `1`. */
export function showWeight(weight: number): string {
  const text = weight.toFixed(2);
  return text.startsWith('0') ? text.slice(1) : '1';
}

/** A piece as a label: a space that belongs to it is shown, a blank piece is not invisible. */
export function pieceLabel(piece: string): string {
  return piece === '' ? '∅' : piece.replaceAll(/\s/gu, '␣');
}

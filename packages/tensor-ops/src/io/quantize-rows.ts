/** A matrix in 8-bit integers: element (r, c) stands for values[r·columns + c] · scales[r]. */
export interface QuantizedRows {
  rows: number;
  columns: number;
  /** In [-127, 127]. */
  values: Int8Array;
  scales: Float32Array;
}

/**
 * Rounds each row to 8-bit integers, its largest magnitude to ±127: no element moves by more than half of max|row| / 127.
 * Quantizing what was quantized before changes nothing.
 *
 * @param matrix [rows, columns], row-major
 */
export function quantizeRows(matrix: Float32Array, rows: number, columns: number): QuantizedRows {
  const values = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  for (let r = 0; r < rows; r++) {
    const row = matrix.subarray(r * columns, (r + 1) * columns);
    let largest = 0;
    for (const v of row) largest = Math.max(largest, Math.abs(v)); // NaN stays
    const scale = Math.fround(largest / 127);
    scales[r] = scale;
    if (scale === 0) continue;
    for (const [c, v] of row.entries()) values[r * columns + c] = Math.max(-127, Math.min(127, Math.round(v / scale)));
  }
  return { rows, columns, values, scales };
}

/** The matrix that the integers stand for. */
export function dequantizeRows({ rows, columns, values, scales }: QuantizedRows): Float32Array {
  const matrix = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    const scale = scales[r] as number;
    for (let i = r * columns; i < (r + 1) * columns; i++) matrix[i] = (values[i] as number) * scale;
  }
  return matrix;
}

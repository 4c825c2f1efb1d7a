/** Product of all axes but the last. */
export function rowsOf({ shape }: { shape: number[] }): number {
  return shape.slice(0, -1).reduce((product, size) => product * size, 1);
}

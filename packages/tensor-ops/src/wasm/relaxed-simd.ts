/** A module whose one function uses f32x4.relaxed_madd: valid only where the engine has relaxed SIMD. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 15, 65, 0, 253, 15, 65,
  0, 253, 15, 253, 133, 2, 11,
]);

/** Whether this engine compiles relaxed SIMD (Node from 22, Chrome from 114). */
export function hasRelaxedSimd(): boolean {
  return WebAssembly.validate(PROBE);
}

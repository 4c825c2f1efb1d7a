/**
 * to = from, of the same length and not overlapping. A typed array's `set` moves shared memory word by word; where Node's Buffer is,
 * its `fill` copies it as any other memory, up to four times as fast.
 */
export function copyFloats(from: Float32Array, to: Float32Array): void {
  const { Buffer } = globalThis as { Buffer?: typeof globalThis.Buffer };
  if (!Buffer || from.length === 0) {
    to.set(from);
    return;
  }
  const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength);
  bytesOf(to).fill(bytesOf(from));
}

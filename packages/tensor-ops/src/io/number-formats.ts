/** Bytes of a number of each dtype of the safetensors format. */
export const NUMBER_SIZES: ReadonlyMap<string, number> = new Map([
  ...['BOOL', 'U8', 'I8', 'F8_E5M2', 'F8_E4M3'].map((dtype) => [dtype, 1] as const),
  ...['U16', 'I16', 'F16', 'BF16'].map((dtype) => [dtype, 2] as const),
  ...['U32', 'I32', 'F32'].map((dtype) => [dtype, 4] as const),
  ...['U64', 'I64', 'F64'].map((dtype) => [dtype, 8] as const),
]);

type FloatFormat = 'F32' | 'F16' | 'BF16' | 'F64';

/** Whether `decodeNumbers` knows the dtype. */
export function isReadable(dtype: string): dtype is FloatFormat {
  return dtype === 'F32' || dtype === 'F16' || dtype === 'BF16' || dtype === 'F64';
}

/** Little-endian numbers as 32-bit floats; `bytes` must own its buffer, which F32 takes over. */
export function decodeNumbers(dtype: FloatFormat, bytes: Uint8Array): Float32Array {
  switch (dtype) {
    case 'F32':
      return new Float32Array(bytes.buffer);
    case 'F64':
      return Float32Array.from(new Float64Array(bytes.buffer));
    case 'BF16': {
      const upperHalves = Uint32Array.from(new Uint16Array(bytes.buffer), (half) => half << 16);
      return new Float32Array(upperHalves.buffer);
    }
    case 'F16':
      return Float32Array.from(new Uint16Array(bytes.buffer), halfToNumber);
  }
}

/** IEEE 754 binary16: a sign, five bits of exponent, ten of fraction. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

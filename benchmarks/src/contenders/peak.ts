// The 128-bit peak of this processor as a WebAssembly program can reach it: twelve independent multiply-adds that never leave
// registers. Answers GFLOP/s.
import asc from 'assemblyscript/asc';
import { serve } from '../serve.js';

const CHAINS = 12;
const range = [...Array(CHAINS).keys()];
const program = (relaxed: boolean) => {
  const madd = (i: number) =>
    relaxed ? `v128.relaxed_madd<f32>(x, y, a${i})` : `v128.add<f32>(v128.mul<f32>(x, y), a${i})`;
  return `export function run(n: i32, p: f32, q: f32): f32 {
    const x = f32x4.splat(p), y = f32x4.splat(q); // arguments: constants would be folded, or built anew at every use
    ${range.map((i) => `let a${i} = f32x4.splat(${i});`).join(' ')}
    for (let i = 0; i < n; i++) { ${range.map((i) => `a${i} = ${madd(i)};`).join(' ')} }
    return f32x4.extract_lane(${range.slice(1).reduce((sum, i) => `v128.add<f32>(${sum}, a${i})`, 'a0')}, 0);
  }`;
};

await serve(async ({ relaxed }: { relaxed: boolean }) => {
  const flags = { optimizeLevel: 3, runtime: 'stub', enable: ['simd', ...(relaxed ? ['relaxed-simd'] : [])] };
  const { binary, stderr } = await asc.compileString(program(relaxed), flags as never);
  if (!binary) throw new Error(stderr.toString());
  const { instance } = (await WebAssembly.instantiate(
    binary as BufferSource,
  )) as unknown as WebAssembly.WebAssemblyInstantiatedSource;
  const run = instance.exports.run as (n: number, p: number, q: number) => number;
  const n = 20_000_000;
  return () => {
    const start = performance.now();
    run(n, 0.999, 1e-9);
    return (n * CHAINS * 8) / (performance.now() - start) / 1e6;
  };
});

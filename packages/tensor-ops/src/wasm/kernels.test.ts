import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KERNELS_RELAXED } from './kernels-relaxed.generated.js';
import { KERNELS_SIMD } from './kernels-simd.generated.js';
import { hasRelaxedSimd } from './relaxed-simd.js';

const variants = { relaxed: Buffer.from(KERNELS_RELAXED, 'base64'), simd: Buffer.from(KERNELS_SIMD, 'base64') };
const DATA = 11;
const DATA_COUNT = 12;

/** Ids of a module's sections. */
function sections(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let at = 8; // magic number and version
  while (at < bytes.length) {
    ids.push(bytes[at++]!);
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      size |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    at += size;
  }
  return ids;
}

test.each(Object.entries(variants))('%s: no data segment, which would overwrite memory that is tfjs’', (_, bytes) => {
  const ids = sections(bytes);
  expect(ids).toContain(10); // code: the sections were read rightly
  for (const id of [DATA, DATA_COUNT]) expect(ids).not.toContain(id);
});

test('both variants want nothing but a memory, and offer the same functions', () => {
  const compiled = Object.entries(variants)
    .filter(([name]) => name === 'simd' || hasRelaxedSimd())
    .map(([, bytes]) => new WebAssembly.Module(bytes));
  const [first] = compiled.map((module) => JSON.stringify(WebAssembly.Module.exports(module)));
  for (const module of compiled) {
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    expect(JSON.stringify(WebAssembly.Module.exports(module))).toBe(first);
  }
});

test('relaxed SIMD is used in the variant that is for it alone', () => {
  expect(WebAssembly.validate(variants.simd)).toBe(true);
  expect(WebAssembly.validate(variants.relaxed)).toBe(hasRelaxedSimd());
});

test('both together stay below 120 KB, 60 KB gzipped', () => {
  const both = Buffer.concat(Object.values(variants));
  expect(both.length).toBeLessThan(120_000);
  expect(gzipSync(both).length).toBeLessThan(60_000);
});

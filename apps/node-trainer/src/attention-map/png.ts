import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { systemFonts } from './fonts.js';

let renderer: Promise<void> | undefined;

/** Draws an SVG as PNG, twice as large for sharp print, with the machine's own fonts. */
export async function svgToPng(svg: string): Promise<Uint8Array> {
  renderer ??= readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')).then(initWasm);
  const [fontBuffers] = await Promise.all([systemFonts(), renderer]);
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: 2 }, font: { fontBuffers } });
  try {
    return image.render().asPng();
  } finally {
    image.free();
  }
}

import path from 'node:path';
import { InputError } from '../errors.js';
import { writeFileAtomic } from '../run/write-file.js';
import { type AttentionMap, attentionMapToJson } from './attention-map.js';
import { attentionPage } from './html.js';
import { svgToPng } from './png.js';
import { stackedAttentionSvg } from './svg.js';

export type TitledMap = AttentionMap & { readonly title: string };

const mapsInOnePicture = 50;

/** Writes maps as the file's ending says: svg, png, html or json. */
export async function writeAttention(maps: readonly TitledMap[], file: string): Promise<void> {
  await writeFileAtomic(file, await render(maps, path.extname(file).toLowerCase(), file));
}

async function render(maps: readonly TitledMap[], ending: string, file: string): Promise<string | Uint8Array> {
  if (ending === '.json')
    return `${JSON.stringify(
      maps.map((map) => ({ title: map.title, ...attentionMapToJson(map) })),
      null,
      1,
    )}\n`;
  if (ending === '.html') return attentionPage(maps);
  if (maps.length > mapsInOnePicture) {
    throw new InputError(
      `one picture holds at most ${mapsInOnePicture} sentences; got ${maps.length} (.html and .json hold any number)`,
      { file },
    );
  }
  const svg = stackedAttentionSvg(maps);
  return ending === '.png' ? svgToPng(svg) : svg;
}

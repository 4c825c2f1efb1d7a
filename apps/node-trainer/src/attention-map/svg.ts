import stringWidth from 'string-width';
import { type AttentionMap, pieceLabel, showWeight } from './attention-map.js';

const fontFamily = "'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', system-ui, sans-serif";

// Presentation attributes say how it looks in light (and in renderers without media queries, which make the PNG).
const darkStyle = `@media (prefers-color-scheme: dark) {
  .attention-map .paper { fill: #16181d } .attention-map .ink { fill: #e6e8ec }
  .attention-map .empty { fill: #23262e } .attention-map .weight { fill: #6ea8fe } .attention-map .on { fill: #0b1220 }
}
.attention-map g.cell:hover .frame { stroke: #f59e0b; stroke-width: 2 }`;

export interface SvgOptions {
  /** Written above the map. */
  readonly title?: string;
}

/**
 * The map as a self-contained SVG: source pieces across, target pieces down, the darker the larger the weight; every
 * value shows on hover, and in the cell where cells are large enough. Legible from 1 × 1 to 60 × 60 and more.
 */
export function attentionSvg(map: AttentionMap, options: SvgOptions = {}): string {
  const { body, width, height } = drawMap(map, options);
  return page(body, width, height, options.title ?? `${map.source.join(' ')} → ${map.target.join(' ')}`);
}

/** Several maps below each other in one SVG. */
export function stackedAttentionSvg(maps: readonly (AttentionMap & SvgOptions)[]): string {
  const drawings = maps.map((map) => drawMap(map, map));
  const width = Math.max(...drawings.map((drawing) => drawing.width));
  let y = 0;
  const body = drawings.map((drawing) => {
    const part = `<g transform="translate(0 ${y})">${drawing.body}</g>`;
    y += drawing.height;
    return part;
  });
  return page(body.join('\n'), width, y, `${maps.length} sentences`);
}

function page(body: string, width: number, height: number, label: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" class="attention-map" role="img" aria-label="${escapeXml(label)}" width="${width}" height="${height}" style="min-width: ${Math.round(0.7 * width)}px" viewBox="0 0 ${width} ${height}" font-family="${fontFamily}">
<style>${darkStyle}</style>
<rect class="paper" width="${width}" height="${height}" fill="#ffffff"/>
${body}
</svg>
`;
}

interface Drawing {
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

function drawMap(map: AttentionMap, { title }: SvgOptions): Drawing {
  const source = map.source.map(pieceLabel).map(shorten);
  const target = map.target.map(pieceLabel).map(shorten);
  const longest = Math.max(source.length, target.length);
  const cell = longest <= 12 ? 40 : longest <= 30 ? 28 : 20;
  const font = longest <= 12 ? 15 : longest <= 30 ? 13 : 12;
  const labelWidth = (label: string) => Math.ceil(emWidth(label) * font);
  const widest = (labels: readonly string[]) => Math.max(0, ...labels.map(labelWidth));

  const slanted = widest(source) > cell - 4;
  const slope = Math.SQRT1_2;
  const titleHeight = title === undefined ? 0 : 28;
  const left = widest(target) + 20;
  const top = titleHeight + (slanted ? Math.ceil(widest(source) * slope) + font : font + 10) + 8;
  // A slanted label leans over the columns to its right.
  const overhang = slanted
    ? Math.max(0, ...source.map((s, i) => labelWidth(s) * slope - (source.length - i - 1) * cell))
    : 0;
  const width = Math.ceil(
    Math.max(left + source.length * cell + overhang + 12, title === undefined ? 0 : stringWidth(title) * 9 + 24),
  );
  const height = top + target.length * cell + 12;

  const parts: string[] = [];
  if (title !== undefined)
    parts.push(`<text class="ink" x="12" y="21" font-size="15" fill="#1f2937">${escapeXml(title)}</text>`);
  parts.push(`<g class="ink" font-size="${font}" fill="#1f2937">`);
  source.forEach((label, s) => {
    const x = left + (s + 0.5) * cell;
    const place = slanted
      ? `transform="translate(${x + 4} ${top - 6}) rotate(-45)"`
      : `x="${x}" y="${top - 8}" text-anchor="middle"`;
    parts.push(`<text ${place}>${escapeXml(label)}</text>`);
  });
  target.forEach((label, t) => {
    const y = top + (t + 0.5) * cell + font * 0.36;
    parts.push(`<text x="${left - 8}" y="${y.toFixed(1)}" text-anchor="end">${escapeXml(label)}</text>`);
  });
  parts.push('</g>');
  target.forEach((row, t) => {
    source.forEach((column, s) => {
      parts.push(drawCell(left + s * cell, top + t * cell, cell, map.weights[t]?.[s] ?? 0, `${row} ← ${column}`));
    });
  });
  return { body: parts.join('\n'), width, height };
}

function drawCell(x: number, y: number, size: number, weight: number, label: string): string {
  const inner = `x="${x + 1}" y="${y + 1}" width="${size - 2}" height="${size - 2}" rx="2"`;
  const value =
    size >= 40 && weight >= 0.005
      ? `<text class="${weight > 0.55 ? 'on' : 'ink'}" x="${x + size / 2}" y="${y + size / 2 + 4}" font-size="12" text-anchor="middle" fill="${weight > 0.55 ? '#ffffff' : '#1f2937'}">${showWeight(weight)}</text>`
      : '';
  return `<g class="cell"><title>${escapeXml(label)}: ${weight.toFixed(3)}</title><rect class="empty frame" ${inner} fill="#eef1f6"/><rect class="weight" ${inner} fill="#1d4ed8" fill-opacity="${weight.toFixed(3)}"/>${value}</g>`;
}

/** A full-width character is one em wide, others about 0.6. */
function emWidth(text: string): number {
  let width = 0;
  for (const character of text) width += stringWidth(character) === 2 ? 1 : 0.6;
  return width;
}

function shorten(label: string): string {
  if (stringWidth(label) <= 24) return label;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(label)) {
    if (stringWidth(kept + segment) > 23) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Text as XML holds it; control characters, which XML forbids, become U+FFFD. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return clean.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

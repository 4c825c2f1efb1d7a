// The attention of a translation as a picture of its own: the page's table, drawn.
export interface AttentionMap {
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** One row a target piece, one weight a source piece. */
  readonly weights: readonly (readonly number[])[];
}

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const FONT = 15;
const FAMILY = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif";
const ROW = 36;
const NARROWEST = 44;
const MARGIN = 16;
const HEADER = 34;

/** Source across, target down, on white; a stronger colour is a larger weight. */
export function attentionSvg({ source, target, weights }: AttentionMap): Picture {
  const measure = textMeasure();
  const columns = source.map((piece) => Math.max(NARROWEST, Math.ceil(measure(piece)) + 14));
  const left = MARGIN + Math.ceil(Math.max(0, ...target.map(measure))) + 10;
  const starts = columns.map((_, i) => left + columns.slice(0, i).reduce((sum, width) => sum + width, 0));
  const width = left + columns.reduce((sum, column) => sum + column, 0) + MARGIN;
  const top = MARGIN + HEADER;
  const height = top + target.length * ROW + MARGIN;
  const label = (x: number, y: number, anchor: string, text: string, style = '') =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}"${style}>${escapeXml(text)}</text>`;

  const parts = source.map((piece, s) => label(starts[s]! + columns[s]! / 2, MARGIN + 20, 'middle', piece));
  target.forEach((piece, t) => {
    const y = top + t * ROW;
    parts.push(label(left - 10, y + ROW / 2 + 5, 'end', piece));
    weights[t]?.forEach((weight, s) => {
      const box = `x="${starts[s]! + 1}" y="${y + 1}" width="${columns[s]! - 2}" height="${ROW - 2}" rx="4"`;
      const style = ` font-size="12" fill="${weight > 0.9 ? '#ffffff' : weight > 0.15 ? '#000000' : '#52625e'}"`;
      parts.push(
        `<g><title>${escapeXml(`${piece} ← ${source[s]}`)}: ${weight.toFixed(4)}</title><rect ${box} fill="#eef3f2"/>` +
          `<rect ${box} fill="#0f766e" fill-opacity="${weight.toFixed(4)}"/>` +
          `${label(starts[s]! + columns[s]! / 2, y + ROW / 2 + 4, 'middle', weight.toFixed(2), style)}</g>`,
      );
    });
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FAMILY}" font-size="${FONT}" fill="#15201e">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
  return { svg, width, height };
}

/** The map as JSON, weights with 6 digits. */
export function attentionJson({ source, target, weights }: AttentionMap): string {
  const rounded = weights.map((row) => row.map((weight) => Number(weight.toFixed(6))));
  return `${JSON.stringify({ source, target, weights: rounded }, null, 1)}\n`;
}

/** Twice the picture's size, so that it is sharp in print; smaller where a canvas could not hold it. */
export async function toPng({ svg, width, height }: Picture): Promise<Blob> {
  const scale = Math.min(2, 8192 / width, 8192 / height);
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the browser made no image of it'))),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

function textMeasure(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = `${FONT}px ${FAMILY}`;
  return (text) => context.measureText(text).width;
}

/** Text as XML holds it; control characters, which XML forbids, become U+FFFD. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return clean.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

import stringWidth from 'string-width';
import { type AttentionMap, pieceLabel, showWeight } from './attention-map.js';

/**
 * The map as a grid of coloured cells for a terminal: source pieces across, target pieces down. Without colour the
 * values alone are shown.
 */
export function attentionGrid(map: AttentionMap, options: { color: boolean }): string {
  const source = map.source.map(pieceLabel);
  const target = map.target.map(pieceLabel);
  const left = Math.max(0, ...target.map((label) => stringWidth(label)));
  const widths = source.map((label) => Math.max(stringWidth(label), 3) + 2);
  const head = `${' '.repeat(left)}  ${source.map((label, s) => centre(label, widths[s]!)).join(' ')}`;
  const rows = target.map((label, t) => {
    const cells = source.map((_, s) => cell(map.weights[t]?.[s] ?? 0, widths[s]!, options.color));
    return `${' '.repeat(left - stringWidth(label))}${label}  ${cells.join(' ')}`;
  });
  return [head, ...rows].map((line) => line.trimEnd()).join('\n');
}

function cell(weight: number, width: number, color: boolean): string {
  const text = centre(weight < 0.005 ? '·' : showWeight(weight), width);
  if (!color) return text;
  const mix = (low: number, high: number) => Math.round(low + (high - low) * Math.min(1, Math.max(0, weight)));
  const ink = weight > 0.6 ? '38;2;10;20;40' : '38;2;225;232;245';
  return `\u001b[${ink};48;2;${mix(28, 110)};${mix(36, 190)};${mix(62, 255)}m${text}\u001b[0m`;
}

function centre(text: string, width: number): string {
  const space = Math.max(0, width - stringWidth(text));
  const before = Math.floor(space / 2);
  return ' '.repeat(before) + text + ' '.repeat(space - before);
}

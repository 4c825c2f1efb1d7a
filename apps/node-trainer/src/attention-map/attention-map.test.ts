import { expect, test } from 'vitest';
import { type AttentionMap, attentionMapToJson } from './attention-map.js';
import { svgToPng } from './png.js';
import { attentionSvg, stackedAttentionSvg } from './svg.js';
import { attentionGrid } from './terminal.js';

const map: AttentionMap = {
  source: ['欢迎', '来', '北京'],
  target: ['Welcome', 'to', 'Beijing', '<eos>'],
  weights: [Float32Array.of(0.9, 0.06, 0.04), [0.1, 0.85, 0.05], [0.02, 0.03, 0.95], [0.3, 0.3, 0.4]],
};

test('the terminal grid has one row a target piece and aligned columns, wide characters counted as two', () => {
  expect(attentionGrid(map, { color: false }).split('\n')).toEqual([
    '          欢迎   来    北京',
    'Welcome   .90    .06   .04',
    '     to   .10    .85   .05',
    'Beijing   .02    .03   .95',
    '  <eos>   .30    .30   .40',
  ]);
});

test('in colour the larger weight has the brighter ground', () => {
  const row = attentionGrid(map, { color: true }).split('\n')[1]!;
  const blues = [...row.matchAll(/48;2;\d+;\d+;(\d+)m/g)].map((match) => Number(match[1]));
  expect(blues).toHaveLength(3);
  expect(blues[0]!).toBeGreaterThan(blues[1]!);
  expect(blues[1]!).toBeGreaterThan(blues[2]!);
});

test('the SVG shows every label, and every value on hover', () => {
  const svg = attentionSvg(map, { title: '欢迎来北京 → Welcome to Beijing' });
  for (const label of [...map.source, 'Welcome', 'Beijing', '&lt;eos&gt;']) expect(svg).toContain(`>${label}</text>`);
  expect(svg.match(/<title>/g)).toHaveLength(12);
  expect(svg).toContain('<title>Beijing ← 北京: 0.950</title>');
});

test('text of the user is text in the SVG, not markup', () => {
  const svg = attentionSvg({ source: ['<script>"&\u0001'], target: ['</svg>'], weights: [[1]] });
  expect(svg).not.toContain('<script>');
  expect(svg.match(/<\/svg>/g)).toHaveLength(1);
  expect(svg).toContain('&lt;script&gt;&quot;&amp;\ufffd');
});

test('columns never overlap at 60 × 60: the drawing grows with the map', () => {
  const pieces = Array.from({ length: 60 }, (_, i) => `piece${i}`);
  const svg = attentionSvg({ source: pieces, target: pieces, weights: pieces.map(() => pieces.map(() => 1 / 60)) });
  expect(Number(/width="(\d+)"/.exec(svg)![1])).toBeGreaterThan(60 * 18);
});

test('an empty translation and a map beside others are drawn too', () => {
  expect(attentionSvg({ source: ['a'], target: [], weights: [] })).toContain('</svg>');
  expect(stackedAttentionSvg([map, map]).match(/<svg/g)).toHaveLength(1);
});

test('the PNG is a PNG twice the size of the SVG', async () => {
  const svg = attentionSvg(map);
  const png = Buffer.from(await svgToPng(svg));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(2 * Number(/width="(\d+)"/.exec(svg)![1]));
});

test('the JSON has pieces and rows', () => {
  expect(attentionMapToJson(map)).toMatchObject({
    source: map.source,
    weights: [[0.9, 0.06, 0.04], [0.1, 0.85, 0.05], {}, {}],
  });
});

/** What a model copies, as a share of sequences of each length. */
export interface Curve {
  readonly name: string;
  readonly exact: readonly number[];
}

const COLOURS = ['#0b7285', '#c2410c'];
const LEFT = 64;
const TOP = 44;
const WIDTH = 520;
const HEIGHT = 260;

/** A line a model over the lengths, as an SVG that is legible on light and dark pages. */
export function bottleneckFigure(lengths: readonly number[], curves: readonly Curve[]): string {
  const first = lengths[0]!;
  const last = lengths[lengths.length - 1]!;
  const x = (length: number): number => LEFT + (WIDTH * (length - first)) / (last - first);
  const y = (share: number): number => TOP + HEIGHT * (1 - share);
  const text = (at: [number, number], anchor: string, content: string, fill = '#555'): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${content}</text>`;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<line x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/>`,
    text([LEFT - 10, y(share) + 4], 'end', `${100 * share} %`),
  ]);
  const ticks = lengths.map((length) => text([x(length), TOP + HEIGHT + 22], 'middle', String(length)));
  const lines = curves.flatMap(({ name, exact }, i) => {
    const points = exact.map((share, at): [number, number] => [x(lengths[at]!), y(share)]);
    const colour = COLOURS[i]!;
    return [
      `<polyline points="${points.map((point) => point.map((n) => n.toFixed(1)).join()).join(' ')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`,
      ...points.map(([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3.5" fill="${colour}"/>`),
      label(name, points, exact, colour),
    ];
  });

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Share of sequences copied without a mistake, by length, with and without attention">
<rect width="640" height="360" fill="#fff"/>
${text([LEFT, 24], 'start', 'Sequences copied without a mistake', '#111')}
${[...grid, ...ticks, ...lines].join('\n')}
${text([LEFT + WIDTH / 2, TOP + HEIGHT + 44], 'middle', 'symbols in the sequence')}
</svg>
`;

  /** The name beside the line: below a high one, to the right of where a falling one crosses the middle, clear of the grid. */
  function label(name: string, points: [number, number][], exact: readonly number[], colour: string): string {
    const crossing = exact.findIndex((share) => share < 0.5);
    if (crossing === -1) return text([LEFT + WIDTH, points[points.length - 1]![1] + 24], 'end', name, colour);
    return text([points[crossing]![0] + 14, y(0.5) - 8], 'start', name, colour);
  }
}

// Python as lists of lines.

/** Lines of Python; `false` is left out. */
export type Lines = readonly (string | false)[];

/** Classes and functions with two empty lines between them. */
export function joinBlocks(blocks: readonly Lines[]): string {
  const texts = blocks.map((lines) => lines.filter((line) => line !== false).join('\n'));
  return `${texts.filter((text) => text !== '').join('\n\n\n')}\n`;
}

/** `expression`, or with some of its values dropped while the module is in training. */
export function dropped(expression: string, rate: number): string {
  return rate === 0 ? expression : `F.dropout(${expression}, ${rate}, self.training)`;
}

/** `f(a, b, name=value)`, keyword arguments only where they are not left out. */
export function call(f: string, positional: readonly unknown[], keywords: Record<string, unknown> = {}): string {
  const named = Object.entries(keywords).filter(([, value]) => value !== undefined);
  return `${f}(${[...positional, ...named.map(([name, value]) => `${name}=${value}`)].join(', ')})`;
}

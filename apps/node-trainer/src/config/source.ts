import { isMap, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { InputError, type Place } from '../errors.js';

export type Path = readonly PropertyKey[];

/** A YAML (or JSON) file's values, and the line each of them stands on. */
export interface ConfigSource {
  readonly value: unknown;
  /** The place of a key or value, or of the nearest thing around it. */
  place(path: Path): Place;
}

/** @throws InputError if the text is not YAML, with its line. */
export function parseConfigText(text: string, file: string): ConfigSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const [error] = document.errors;
  if (error !== undefined)
    throw new InputError(`this is not YAML (${error.message})`, { file, line: lineAt(error.pos[0]) });
  return {
    value: document.toJS({ maxAliasCount: 100 }) ?? {},
    place(path) {
      let node: Node | null = document.contents;
      let offset = node?.range?.[0];
      for (const key of path) {
        const next: { readonly node: Node | null; readonly at: number | undefined } | undefined = childOf(node, key);
        if (next === undefined) break;
        node = next.node;
        offset = next.at ?? offset;
      }
      return { file, line: offset === undefined ? undefined : lineAt(offset) };
    },
  };
}

function childOf(node: Node | null, key: PropertyKey): { node: Node | null; at: number | undefined } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (!isPair(pair)) return undefined;
    return { node: pair.value as Node | null, at: (pair.key as Node).range?.[0] };
  }
  const item = node !== null && 'items' in node && typeof key === 'number' ? (node.items as Node[])[key] : undefined;
  return item === undefined ? undefined : { node: item, at: item.range?.[0] };
}

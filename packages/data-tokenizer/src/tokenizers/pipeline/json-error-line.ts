/** What may come next in JSON, and so what is wrong where something else does. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end';

const symbol =
  /[ \t\r\n]*([{}[\],:]|"[ -!#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ -!#-[\]-\u{10ffff}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;

/** The line, from 1, on which a text stops being JSON; V8's own messages seldom say. The last one if all before is. */
export function jsonErrorLine(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let good = 0;
  symbol.lastIndex = 0;
  for (let match = symbol.exec(text); match !== null; match = symbol.exec(text)) {
    const next = follow(expected, match[1] as string, open);
    if (next === undefined) return lineAt(text, symbol.lastIndex - (match[1] as string).length);
    expected = next;
    good = symbol.lastIndex;
  }
  return lineAt(text, good + (/^[ \t\r\n]*/.exec(text.slice(good))?.[0].length ?? 0));
}

/** What may follow a symbol where `expected` may stand; undefined if the symbol may not stand there itself. */
function follow(expected: Expected, found: string, open: ('{' | '[')[]): Expected | undefined {
  const within = (): Expected => (open.length === 0 ? 'end' : 'comma');
  const container = open.at(-1);
  switch (found) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return undefined;
      open.push(found);
      return found === '{' ? 'key or }' : 'value or ]';
    case '}':
    case ']': {
      const closes = found === '}' ? container === '{' : container === '[';
      if (!closes || (expected !== 'comma' && !expected.endsWith(found))) return undefined;
      open.pop();
      return within();
    }
    case ',':
      if (expected !== 'comma') return undefined;
      return container === '{' ? 'key' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    default:
      if (expected.startsWith('value')) return within();
      return expected.startsWith('key') && found.startsWith('"') ? 'colon' : undefined;
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

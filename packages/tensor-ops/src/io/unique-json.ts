/** JSON.parse that refuses an object with the same key twice, of which JSON.parse keeps the last in silence. */
export function parseUnique(text: string): unknown {
  const value: unknown = JSON.parse(text); // from here on the text is known to be JSON
  const open: Set<string>[] = [];
  let string = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      const end = closingQuote(text, i);
      string = text.slice(i, end + 1);
      i = end;
    } else if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    else if (character === ':') {
      const key = JSON.parse(string) as string;
      const keys = open.at(-1) as Set<string>;
      if (keys.has(key)) throw new Error(`the key "${key}" stands there twice`);
      keys.add(key);
    }
  }
  return value;
}

function closingQuote(text: string, opening: number): number {
  let end = opening;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end;
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

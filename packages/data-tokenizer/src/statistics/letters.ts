const scripts = [
  'Latin',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Greek',
  'Thai',
  'Devanagari',
  'Bengali',
].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

const unseen = 0;
const noScript = 1;

/** Which characters (code points) passed by, and how many letters of each script. */
export class Letters {
  /** How many different characters passed by. */
  different = 0;
  readonly #counts = new Float64Array(scripts.length);
  // For each code point `unseen`, `noScript` or its script's number plus 2: asked of a pattern once a code point.
  readonly #kinds = new Uint8Array(0x110000);

  /** @returns the number of characters in the text. */
  add(text: string): number {
    let length = 0;
    for (let at = 0; at < text.length; at++, length++) {
      let point = text.charCodeAt(at);
      if (point >= 0xd800 && point <= 0xdbff) {
        point = text.codePointAt(at) as number;
        if (point > 0xffff) at++;
      }
      let kind = this.#kinds[point] as number;
      if (kind === unseen) {
        kind = kindOf(String.fromCodePoint(point));
        this.#kinds[point] = kind;
        this.different++;
      }
      if (kind !== noScript) (this.#counts[kind - 2] as number)++;
    }
    return length;
  }

  /** The scripts' shares of the letters, the most frequent first. */
  shares(): Record<string, number> {
    const total = this.#counts.reduce((sum, count) => sum + count, 0);
    const found = scripts
      .map(({ name }, index) => ({ name, count: this.#counts[index] as number }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
    return Object.fromEntries(found.map(({ name, count }) => [name, Number((count / total).toFixed(4))]));
  }
}

function kindOf(character: string): number {
  const script = scripts.findIndex(({ pattern }) => pattern.test(character));
  return script === -1 ? noScript : script + 2;
}

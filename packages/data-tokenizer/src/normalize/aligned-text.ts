/** Replaces [start, end) of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * A text made from a raw one, that still knows where in the raw text each part of it came from. Most texts are a slice of
 * the raw one, possibly with something put before it: then a shift says it all. Others have a table.
 */
export class AlignedText {
  readonly text: string;
  readonly #shift: number;
  readonly #low: number;
  readonly #table: { readonly starts: Int32Array; readonly ends: Int32Array } | undefined;

  private constructor(text: string, shift: number, low: number, table?: { starts: Int32Array; ends: Int32Array }) {
    this.text = text;
    this.#shift = shift;
    this.#low = low;
    this.#table = table;
  }

  /** The raw text itself, or a part of it that begins at `start`. */
  static of(text: string, start = 0): AlignedText {
    return new AlignedText(text, start, start);
  }

  /** Where [start, end) of this text came from. What was put in has an empty or the replaced range. */
  span(start: number, end: number): [start: number, end: number] {
    const table = this.#table;
    if (table === undefined) {
      return [Math.max(this.#low, start + this.#shift), Math.max(this.#low, end + this.#shift)];
    }
    if (start < end) return [table.starts[start] as number, table.ends[end - 1] as number];
    const at = start < this.text.length ? (table.starts[start] as number) : (table.ends.at(-1) ?? this.#low);
    return [at, at];
  }

  slice(start: number, end: number): AlignedText {
    if (start === 0 && end === this.text.length) return this;
    const table = this.#table;
    return new AlignedText(
      this.text.slice(start, end),
      this.#shift + start,
      this.span(start, start)[0],
      table && { starts: table.starts.subarray(start, end), ends: table.ends.subarray(start, end) },
    );
  }

  /** Puts something before the text. */
  prepend(prefix: string): AlignedText {
    if (this.#table !== undefined) return this.edit([{ start: 0, end: 0, replacement: prefix }]);
    return new AlignedText(prefix + this.text, this.#shift - prefix.length, this.#low);
  }

  /** Replaces every match; see `String.replaceAll`. */
  replace(pattern: RegExp, replacement: string | ((match: string) => string)): AlignedText {
    const edits: Edit[] = [];
    for (const match of this.text.matchAll(pattern)) {
      const text = typeof replacement === 'string' ? replacement : replacement(match[0]);
      if (text !== match[0]) edits.push({ start: match.index, end: match.index + match[0].length, replacement: text });
    }
    return this.edit(edits);
  }

  /** Makes changes, in order and without overlap. A replacement of equal length keeps its units apart. */
  edit(edits: readonly Edit[]): AlignedText {
    if (edits.length === 0) return this;
    const parts: string[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    const keep = (from: number, to: number): void => {
      parts.push(this.text.slice(from, to));
      for (let i = from; i < to; i++) this.#push(starts, ends, i, i + 1);
    };
    let at = 0;
    for (const { start, end, replacement } of edits) {
      keep(at, start);
      parts.push(replacement);
      const unitwise = replacement.length === end - start;
      for (let i = 0; i < replacement.length; i++) {
        if (unitwise) this.#push(starts, ends, start + i, start + i + 1);
        else this.#push(starts, ends, start, end);
      }
      at = end;
    }
    keep(at, this.text.length);
    const table = { starts: Int32Array.from(starts), ends: Int32Array.from(ends) };
    return new AlignedText(parts.join(''), this.#shift, this.#low, table);
  }

  #push(starts: number[], ends: number[], from: number, to: number): void {
    const [start, end] = this.span(from, to);
    starts.push(start);
    ends.push(end);
  }
}

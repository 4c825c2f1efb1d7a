import type { Tokenizer } from '../tokenizers/tokenizer.js';
import { tokenizerFromJSON } from '../tokenizers/tokenizer-from-json.js';

/** What a side's text goes through besides its tokenizer. */
export interface SideSettings {
  /** A BCP 47 tag, or null where the text is in no language. */
  readonly language: string | null;
  readonly lowercase: boolean;
}

/** A text as a model reads it. */
export interface EncodedText {
  readonly ids: Int32Array;
  /** For each id the stretch of the text that it stands for. */
  readonly pieces: readonly string[];
}

/** One side of a translation: text to ids and back, NFC, in lower case where the settings say so. */
export class TextSide {
  readonly tokenizer: Tokenizer;
  readonly settings: SideSettings;

  constructor(tokenizer: Tokenizer, settings: SideSettings) {
    this.tokenizer = tokenizer;
    this.settings = settings;
  }

  /** @throws TokenizerFileError when the text is no tokenizer.json. */
  static fromJSON(tokenizer: string, settings: SideSettings): TextSide {
    return new TextSide(tokenizerFromJSON(tokenizer), settings);
  }

  get size(): number {
    return this.tokenizer.size;
  }

  encode(text: string): EncodedText {
    const normal = normalizeSide(text, this.settings);
    const { ids, offsets } = this.tokenizer.encode(normal);
    return { ids, pieces: offsets.map(([start, end]) => normal.slice(start, end)) };
  }

  decode(ids: ArrayLike<number>): string {
    return this.tokenizer.decode(ids);
  }

  /** A label for each id; what is no text by itself (part of a character) is shown as the vocabulary has it. */
  labels(ids: ArrayLike<number>): string[] {
    return Array.from(ids, (id) => {
      const text = this.tokenizer.decode([id]).trim();
      return text === '' || text.includes('\ufffd') ? this.tokenizer.vocabulary.token(id) : text;
    });
  }
}

/** What a side does to a text before its tokenizer sees it. */
export function normalizeSide(text: string, { lowercase, language }: SideSettings): string {
  const composed = text.normalize('NFC');
  return lowercase ? composed.toLocaleLowerCase(language ?? undefined) : composed;
}

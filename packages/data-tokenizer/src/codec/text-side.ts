import { Normalizer } from '../normalize/normalizer.js';
import type { NormalizationStep } from '../normalize/steps.js';
import type { EncodeOptions, Tokenizer } from '../tokenizers/tokenizer.js';
import { tokenizerFromJSON } from '../tokenizers/tokenizer-from-json.js';

/** What a side's text goes through besides its tokenizer. */
export interface SideSettings {
  /** A BCP 47 tag, or null where the text is in no language. */
  readonly language: string | null;
  /** Steps of {@link Normalizer}, in order. */
  readonly normalize: readonly NormalizationStep[];
}

/** A text as a model reads it. */
export interface EncodedText {
  readonly ids: Int32Array;
  /** For each id the stretch of the raw text that it stands for. */
  readonly pieces: readonly string[];
}

/** One side of a translation: text to ids and back. */
export class TextSide {
  readonly tokenizer: Tokenizer;
  readonly language: string | null;
  readonly normalizer: Normalizer;

  constructor(tokenizer: Tokenizer, language: string | null, normalizer: Normalizer) {
    this.tokenizer = tokenizer;
    this.language = language;
    this.normalizer = normalizer;
  }

  /** @throws TokenizerFileError when the text is no tokenizer.json; Error for a step that is none. */
  static async fromJSON(tokenizer: string, { language, normalize }: SideSettings): Promise<TextSide> {
    return new TextSide(tokenizerFromJSON(tokenizer), language, await Normalizer.load(normalize));
  }

  get settings(): SideSettings {
    return { language: this.language, normalize: this.normalizer.steps };
  }

  get size(): number {
    return this.tokenizer.size;
  }

  encode(text: string, options: EncodeOptions = {}): EncodedText {
    const normal = this.normalizer.align(text);
    const { ids, offsets } = this.tokenizer.encode(normal.text, options);
    const pieces = offsets.map(([start, end]) => {
      const [from, to] = normal.span(start, end);
      return text.slice(from, to);
    });
    return { ids, pieces };
  }

  /**
   * @param standIn what the text has in place of the unknown token `ids[at]`, such as the source's own word; nothing leaves the
   *   vocabulary's placeholder
   */
  decode(ids: ArrayLike<number>, standIn?: (at: number) => string | undefined): string {
    const text = this.tokenizer.decode(ids);
    const { unknownId } = this.tokenizer.vocabulary;
    if (!standIn || unknownId < 0) return text;
    const placeholder = this.tokenizer.vocabulary.token(unknownId);
    const places = Array.from(ids).flatMap((id, at) => (id === unknownId ? [at] : []));
    let next = 0;
    return text.replaceAll(placeholder, () => standIn(places[next++] ?? -1) ?? placeholder);
  }

  /** A label for each id; what is no text by itself (part of a character) is shown as the vocabulary has it. */
  labels(ids: ArrayLike<number>): string[] {
    return Array.from(ids, (id) => {
      const text = this.tokenizer.decode([id]).trim();
      return text === '' || text.includes('\ufffd') ? this.tokenizer.vocabulary.token(id) : text;
    });
  }
}

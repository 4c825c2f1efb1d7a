import {
  type BytePairOptions,
  BytePairTokenizer,
  CharacterTokenizer,
  type Tokenizer,
  tokenizerFromJSON,
  WordTokenizer,
} from '@seqloom/data-tokenizer';
import { z } from 'zod';
import type { SideConfig } from '../config/run-config.js';

/** What a side's text goes through besides its tokenizer, as config.json keeps it. */
export const sideSettingsSchema = z.object({
  language: z.string().nullable(),
  lowercase: z.boolean(),
});
export type SideSettings = z.output<typeof sideSettingsSchema>;

/** A text as the model reads it. */
export interface EncodedText {
  readonly ids: Int32Array;
  /** For each id the stretch of the text that it stands for. */
  readonly pieces: readonly string[];
}

/** One side's text to ids and back. */
export class TextSide {
  readonly tokenizer: Tokenizer;
  readonly settings: SideSettings;

  constructor(tokenizer: Tokenizer, settings: SideSettings) {
    this.tokenizer = tokenizer;
    this.settings = settings;
  }

  static async train(texts: Iterable<string>, config: SideConfig, language: string | null): Promise<TextSide> {
    const settings = { language, lowercase: config.lowercase };
    return new TextSide(await trainTokenizer(normalized(texts, settings), config, language), settings);
  }

  /** Two sides that share the merges of a byte-pair encoding, or a whole vocabulary. */
  static async trainShared(
    sides: { readonly source: readonly string[]; readonly target: readonly string[] },
    config: SideConfig,
    languages: { readonly source: string | null; readonly target: string | null },
    share: 'merges' | 'vocabulary',
  ): Promise<{ source: TextSide; target: TextSide }> {
    const settings = {
      source: { language: languages.source, lowercase: config.lowercase },
      target: { language: languages.target, lowercase: config.lowercase },
    };
    const texts = {
      source: [...normalized(sides.source, settings.source)],
      target: [...normalized(sides.target, settings.target)],
    };
    if (share === 'vocabulary') {
      const one = await trainTokenizer([...texts.source, ...texts.target], config, languages.source);
      return { source: new TextSide(one, settings.source), target: new TextSide(one, settings.target) };
    }
    const { source, target } = await BytePairTokenizer.trainJoint(texts.source, texts.target, bytePairOptions(config));
    return { source: new TextSide(source, settings.source), target: new TextSide(target, settings.target) };
  }

  /** @throws TokenizerFileError if the file is no tokenizer. */
  static fromJSON(tokenizer: string, settings: SideSettings): TextSide {
    return new TextSide(tokenizerFromJSON(tokenizer), settings);
  }

  get size(): number {
    return this.tokenizer.size;
  }

  encode(text: string): EncodedText {
    const normal = normalize(text, this.settings);
    const { ids, offsets } = this.tokenizer.encode(normal);
    return { ids, pieces: offsets.map(([start, end]) => normal.slice(start, end)) };
  }

  decode(ids: ArrayLike<number>): string {
    return this.tokenizer.decode(ids);
  }

  /** A label for each id of a translation; what is no text by itself (part of a character) is shown as the file has it. */
  labels(ids: ArrayLike<number>): string[] {
    return Array.from(ids, (id) => {
      const text = this.tokenizer.decode([id]).trim();
      return text === '' || text.includes('\ufffd') ? this.tokenizer.vocabulary.token(id) : text;
    });
  }
}

function normalize(text: string, { lowercase, language }: SideSettings): string {
  const composed = text.normalize('NFC');
  return lowercase ? composed.toLocaleLowerCase(language ?? undefined) : composed;
}

function* normalized(texts: Iterable<string>, settings: SideSettings): Generator<string> {
  for (const text of texts) yield normalize(text, settings);
}

function trainTokenizer(texts: Iterable<string>, config: SideConfig, language: string | null): Promise<Tokenizer> {
  const limits = {
    minFrequency: config.minFrequency,
    ...(config.vocabularySize !== null && { maxSize: config.vocabularySize }),
  };
  switch (config.tokenizer) {
    case 'word':
      return WordTokenizer.train(texts, { ...limits, ...(language !== null && { locale: language }) });
    case 'whitespace':
      return WordTokenizer.train(texts, { ...limits, segmentation: 'whitespace' });
    case 'character':
      return CharacterTokenizer.train(texts, limits);
    case 'bpe':
      return BytePairTokenizer.train(texts, bytePairOptions(config));
  }
}

function bytePairOptions({ vocabularySize, alphabet, minFrequency }: SideConfig): BytePairOptions {
  return { vocabularySize: vocabularySize ?? 8000, alphabet, minFrequency: Math.max(2, minFrequency) };
}

import { z } from 'zod';
import type { RunConfig } from '../config/run-config.js';
import type { TextPair } from '../data/load-data.js';
import { parseDirection } from '../data/pair-source.js';
import { InputError } from '../errors.js';
import { sideSettingsSchema, TextSide } from './text-side.js';

/** The `text` part of config.json. */
const textSettingsSchema = z.object({
  version: z.literal(1),
  direction: z.string().nullable(),
  source: sideSettingsSchema,
  target: sideSettingsSchema,
  maxPieces: z.int().min(1),
  /** What cut the text into words: another ICU may cut otherwise. */
  icu: z.string(),
});

const files = { source: 'tokenizer.source.json', target: 'tokenizer.target.json' } as const;

/** Where a codec's files lie: a model folder. */
export interface TextFiles {
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** The text settings of a model: both sides' tokenizers and what goes with them. */
export class TextCodec {
  readonly source: TextSide;
  readonly target: TextSide;
  readonly direction: string | null;
  /** Sources longer than this are cut. */
  readonly maxPieces: number;

  constructor(options: { source: TextSide; target: TextSide; direction: string | null; maxPieces: number }) {
    this.source = options.source;
    this.target = options.target;
    this.direction = options.direction;
    this.maxPieces = options.maxPieces;
  }

  /** Learns both sides' vocabularies from the training pairs. */
  static async train(pairs: readonly TextPair[], config: Pick<RunConfig, 'text' | 'data'>): Promise<TextCodec> {
    const { text, data } = config;
    const [from, to] = data.direction === null ? [null, null] : parseDirection(data.direction);
    const languages = { source: languageOf(text.source.language, from), target: languageOf(text.target.language, to) };
    const sources = pairs.map((pair) => pair.source);
    const targets = pairs.map((pair) => pair.target);
    const { source, target } =
      text.share === 'nothing'
        ? {
            source: await TextSide.train(sources, text.source, languages.source),
            target: await TextSide.train(targets, text.target, languages.target),
          }
        : await TextSide.trainShared({ source: sources, target: targets }, text.source, languages, text.share);
    return new TextCodec({ source, target, direction: data.direction, maxPieces: text.maxPieces });
  }

  /** What goes into config.json beside the tokenizers' own files. */
  settings(): z.output<typeof textSettingsSchema> {
    return {
      version: 1,
      direction: this.direction,
      source: this.source.settings,
      target: this.target.settings,
      maxPieces: this.maxPieces,
      icu: process.versions.icu ?? 'unknown',
    };
  }

  async save(store: TextFiles): Promise<void> {
    for (const side of ['source', 'target'] as const) {
      await store.write(
        files[side],
        new TextEncoder().encode(`${JSON.stringify(this[side].tokenizer.toJSON(), null, 1)}\n`),
      );
    }
  }

  /** @throws InputError if the folder has no usable text settings. */
  static async load(store: TextFiles, settings: unknown, folder: string): Promise<TextCodec> {
    const parsed = textSettingsSchema.safeParse(settings);
    if (!parsed.success) throw new InputError('config.json has no text settings of seqloom train', { file: folder });
    const side = async (name: 'source' | 'target') => {
      const bytes = await store.read(files[name]);
      if (bytes === null) throw new InputError(`the model folder has no ${files[name]}`, { file: folder });
      return TextSide.fromJSON(new TextDecoder().decode(bytes), parsed.data[name]);
    };
    return new TextCodec({
      source: await side('source'),
      target: await side('target'),
      direction: parsed.data.direction,
      maxPieces: parsed.data.maxPieces,
    });
  }
}

/** A language tag that Intl takes, or null. */
function languageOf(given: string | null, name: string | null): string | null {
  if (given !== null) {
    if (isLanguage(given)) return given;
    throw new InputError(`text: the language must be a BCP 47 tag such as zh or de-AT; got "${given}"`);
  }
  return name !== null && isLanguage(name) ? name : null;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1 && /^[a-z]{2,3}\b/i.test(tag);
  } catch {
    return false;
  }
}

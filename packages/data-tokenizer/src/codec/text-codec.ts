// The text half of a model folder: both sides' tokenizers in files of their own, the rest in config.json under `text`.
import { normalizationSteps } from '../normalize/steps.js';
import { TokenizerFileError } from '../tokenizers/pipeline/json-node.js';
import { type SideSettings, TextSide } from './text-side.js';

/** The `text` part of config.json. */
export interface TextSettings {
  readonly version: 1;
  /** Such as `zh-en`; null where the sides are no languages. */
  readonly direction: string | null;
  readonly source: SideSettings;
  readonly target: SideSettings;
  /** Sources longer than this are cut. */
  readonly maxPieces: number;
}

/** Where the files lie: a model folder, a web address, memory. */
export interface TextFiles {
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

export interface TextCodecOptions {
  source: TextSide;
  target: TextSide;
  direction: string | null;
  maxPieces: number;
}

const FILES = { source: 'tokenizer.source.json', target: 'tokenizer.target.json' } as const;

/** Text to ids and back for both sides of a model. */
export class TextCodec {
  readonly source: TextSide;
  readonly target: TextSide;
  readonly direction: string | null;
  readonly maxPieces: number;

  constructor({ source, target, direction, maxPieces }: TextCodecOptions) {
    this.source = source;
    this.target = target;
    this.direction = direction;
    this.maxPieces = maxPieces;
  }

  /**
   * Reads what `save` wrote.
   *
   * @param settings the `text` part of config.json, untrusted
   * @throws Error naming the missing file or the setting that breaks a rule; TokenizerFileError for a file that is no tokenizer
   */
  static async load(files: Pick<TextFiles, 'read'>, settings: unknown): Promise<TextCodec> {
    const { direction, maxPieces, source, target } = checkedSettings(settings);
    const side = async (name: 'source' | 'target', of: SideSettings) => {
      const bytes = await files.read(FILES[name]);
      if (bytes === null) throw new Error(`the model folder has no ${FILES[name]}`);
      try {
        return await TextSide.fromJSON(new TextDecoder().decode(bytes), of);
      } catch (error) {
        throw error instanceof TokenizerFileError ? error.in(FILES[name]) : error;
      }
    };
    return new TextCodec({
      source: await side('source', source),
      target: await side('target', target),
      direction,
      maxPieces,
    });
  }

  /** What goes into config.json beside the tokenizers' files. */
  settings(): TextSettings {
    const { direction, maxPieces, source, target } = this;
    return { version: 1, direction, source: source.settings, target: target.settings, maxPieces };
  }

  /** Writes both tokenizers. */
  async save(files: Pick<TextFiles, 'write'>): Promise<void> {
    for (const side of ['source', 'target'] as const) {
      const text = `${JSON.stringify(this[side].tokenizer.toJSON(), null, 1)}\n`;
      await files.write(FILES[side], new TextEncoder().encode(text));
    }
  }
}

function checkedSettings(given: unknown): TextSettings {
  const settings = (given ?? {}) as Partial<Record<keyof TextSettings, unknown>>;
  const { version, direction, maxPieces, source, target } = settings;
  if (version !== 1) throw new Error(`config.json: text.version must be 1; got ${shown(version)}`);
  if (direction !== null && typeof direction !== 'string') {
    throw new Error(`config.json: text.direction must be a text or null; got ${shown(direction)}`);
  }
  if (!Number.isSafeInteger(maxPieces) || (maxPieces as number) < 1) {
    throw new Error(`config.json: text.maxPieces must be a whole number of at least 1; got ${shown(maxPieces)}`);
  }
  return {
    version,
    direction,
    maxPieces: maxPieces as number,
    source: checkedSide('source', source),
    target: checkedSide('target', target),
  };
}

function checkedSide(name: string, given: unknown): SideSettings {
  const { language, normalize } = (given ?? {}) as Partial<Record<keyof SideSettings, unknown>>;
  if (language !== null && typeof language !== 'string') {
    throw new Error(`config.json: text.${name}.language must be a text or null; got ${shown(language)}`);
  }
  const known: readonly unknown[] = normalizationSteps;
  if (!Array.isArray(normalize) || !normalize.every((step) => known.includes(step))) {
    throw new Error(
      `config.json: text.${name}.normalize must be a list of ${known.join(', ')}; got ${shown(normalize)}`,
    );
  }
  return { language, normalize };
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

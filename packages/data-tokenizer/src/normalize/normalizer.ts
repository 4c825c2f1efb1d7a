import { AlignedText } from './aligned-text.js';
import { loadChineseConverter, type ScriptConverter } from './chinese.js';
import { dictionarySteps, type NormalizationStep, normalizationSteps, stepFunction } from './steps.js';

const loaded = new Map<string, ScriptConverter>();

/**
 * Named steps that make texts alike before they are cut, in order. Its JSON is the list of their names, which a model's
 * configuration keeps so that later texts are treated as the training text was.
 *
 * - `nfc`, `nfkc`: Unicode's composed forms
 * - `mojibake`: repairs UTF-8 that was read as Windows-1252
 * - `quotes`: typographic quotation marks to `"` and `'`
 * - `full-width-letters`, `full-width-punctuation`: to ASCII
 * - `invisible`: drops controls, zero-width spaces and direction marks, but not the joiners
 * - `whitespace`: trims, and makes every run one space
 * - `lowercase`
 * - `simplified`, `traditional`: Chinese script, by OpenCC's dictionary ({@link Normalizer.load} fetches it)
 *
 * @example
 * ```ts
 * const normalizer = new Normalizer(['nfkc', 'quotes', 'whitespace', 'lowercase']);
 * console.log(normalizer.apply('  “Ｗell”,  he said')); // → "well", he said
 * console.log(JSON.stringify(normalizer)); // → ["nfkc","quotes","whitespace","lowercase"]
 * ```
 */
export class Normalizer {
  readonly steps: readonly NormalizationStep[];
  readonly #functions: readonly ((text: AlignedText) => AlignedText)[];

  /** @throws Error for a name that is no step, or a step whose dictionary was not loaded. */
  constructor(steps: readonly string[]) {
    this.steps = checkSteps(steps);
    this.#functions = this.steps.map((name) => stepFunction(name, loaded));
  }

  /** Loads the dictionaries that the steps need. @throws Error for a name that is no step. */
  static async load(steps: readonly string[]): Promise<Normalizer> {
    for (const name of dictionarySteps) {
      if (checkSteps(steps).includes(name) && !loaded.has(name)) loaded.set(name, await loadChineseConverter(name));
    }
    return new Normalizer(steps);
  }

  apply(text: string): string {
    return this.align(text).text;
  }

  /** The normalized text, with `span(start, end)` to find where a part of it was in the raw one. */
  align(text: string): AlignedText {
    return this.#functions.reduce((result, step) => step(result), AlignedText.of(text));
  }

  toJSON(): readonly NormalizationStep[] {
    return this.steps;
  }
}

function checkSteps(steps: readonly string[]): readonly NormalizationStep[] {
  const known: readonly string[] = normalizationSteps;
  const unknown = steps.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Normalizer: a step must be one of ${known.join(', ')}; got ${JSON.stringify(unknown)}`);
  }
  return steps as readonly NormalizationStep[];
}

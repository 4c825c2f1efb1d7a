/**
 * References of a corpus: one reference a sentence (`string[]`), or several sets of them (`string[][]`, one array a
 * set, each as long as the hypotheses). `undefined` in a set means that it has no reference for that sentence.
 */
export type References = readonly string[] | readonly (readonly (string | undefined)[])[];

/** The references of each sentence, and how many there are a sentence (`'var'` when that varies). */
export interface AlignedReferences {
  readonly sentences: readonly (readonly string[])[];
  readonly perSentence: number | 'var';
}

/**
 * Turns reference sets into the references of each sentence.
 *
 * @throws when there is no sentence, when a set has another length than the hypotheses, or when a sentence has no
 * reference; the message begins with `caller`.
 */
export function alignReferences(
  caller: string,
  hypotheses: readonly string[],
  references: References,
): AlignedReferences {
  const sets = asSets(references);
  if (!isTexts(hypotheses, ['string']) || !sets.every((set) => isTexts(set, ['string', 'undefined']))) {
    throw new Error(`${caller}: hypotheses must be an array of texts, and references one or an array of such arrays`);
  }
  for (const [index, set] of sets.entries()) {
    if (set.length === hypotheses.length) continue;
    const name = sets.length === 1 ? 'references' : `references of set ${index + 1}`;
    throw new Error(
      `${caller}: hypotheses and references must be equally many; got ${hypotheses.length} hypotheses and ${set.length} ${name}`,
    );
  }
  if (hypotheses.length === 0) throw new Error(`${caller}: there must be at least one sentence to score; got 0`);
  const sentences = hypotheses.map((_, line) => {
    const present = sets.map((set) => set[line]).filter((reference) => reference !== undefined);
    if (present.length > 0) return present;
    throw new Error(
      `${caller}: every sentence needs a reference; sentence ${line + 1} has none in any of the ${sets.length} sets`,
    );
  });
  const counts = new Set(sentences.map((each) => each.length));
  return { sentences, perSentence: counts.size === 1 ? (sentences[0] as string[]).length : 'var' };
}

/**
 * Reference sets from the accepted variants of each sentence, as many sets as the longest list has variants:
 * `[['a', 'b'], ['c']]` becomes `[['a', 'c'], ['b', undefined]]`.
 */
export function referenceSets(variants: readonly (readonly string[])[]): (string | undefined)[][] {
  const sets = variants.reduce((most, each) => Math.max(most, each.length), 0);
  return Array.from({ length: sets }, (_, set) => variants.map((each) => each[set]));
}

function asSets(references: References): readonly (readonly (string | undefined)[])[] {
  if (!Array.isArray(references) || references.length === 0 || typeof references[0] === 'string') {
    return [references as readonly string[]];
  }
  return references as readonly (readonly (string | undefined)[])[];
}

function isTexts(value: unknown, allowed: readonly string[]): boolean {
  return Array.isArray(value) && value.every((each) => allowed.includes(typeof each));
}

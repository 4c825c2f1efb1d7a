// From patterns to the two parts of the corpus.
import { shuffled } from './order.js';
import type { Pattern, Sentence } from './pattern.js';
import { WordCounts } from './words.js';

export interface Corpus {
  readonly training: readonly Sentence[];
  readonly heldOut: readonly Sentence[];
}

/** In how many training sentences a word has to occur before a held-out sentence may use it. */
const OCCURRENCES = 8;

/** How many combinations are set aside for each sentence that a pattern holds out, to choose from. */
const CHOICE = 3;

/**
 * The corpus of a seed.
 *
 * Of each pattern some combinations are set aside first. From them the held-out sentences are taken: one a combination,
 * and only those whose words are all well known from training. Neither their Chinese nor their English is in training.
 *
 * @throws when a Chinese sentence has two translations, or a pattern cannot fill its share
 */
export function makeCorpus(patterns: readonly Pattern[], seed: number): Corpus {
  requireOneTranslation(patterns);
  const parts = patterns.map((each) => setAside(each, seed));
  const known = new WordCounts(parts.flatMap(({ pattern, rest }) => rest.slice(0, pattern.training)));
  const heldOut = parts.flatMap(({ pattern, aside }) => hold(pattern, aside, known));

  const unseen = { zh: new Set(heldOut.map(({ zh }) => zh)), en: new Set(heldOut.map(({ en }) => en)) };
  const training = parts.flatMap(({ pattern, aside, rest }) => {
    const held = new Set(aside.filter(({ zh }) => unseen.zh.has(zh)).map(({ combination }) => combination));
    return [...rest, ...aside]
      .filter(({ zh, en, combination }) => !held.has(combination) && !unseen.zh.has(zh) && !unseen.en.has(en))
      .slice(0, pattern.training);
  });
  // Another seed than the one that drew them, or the order would tell how likely each was to be drawn.
  return { training: shuffled(training, seed + 1), heldOut: shuffled(heldOut, seed + 1) };
}

function requireOneTranslation(patterns: readonly Pattern[]): void {
  const translations = new Map<string, string>();
  for (const { name, sentences } of patterns) {
    for (const { zh, en } of sentences) {
      const other = translations.get(zh) ?? en;
      if (other !== en) throw new Error(`makeCorpus: ${zh} is "${other}" and, in the pattern "${name}", "${en}"`);
      translations.set(zh, en);
    }
  }
}

/** Splits the sentences of a pattern by combination into those to choose held-out ones from, and the rest. */
function setAside(pattern: Pattern, seed: number) {
  const sentences = shuffled(pattern.sentences, seed);
  const first = sentences.filter(({ zh }) => zh === pattern.mustHoldOut);
  const combinations = new Set(
    distinct([...first, ...sentences], 'combination')
      .slice(0, CHOICE * pattern.heldOut)
      .map(({ combination }) => combination),
  );
  return {
    pattern,
    aside: [...first, ...sentences.filter(({ combination }) => combinations.has(combination))],
    rest: sentences.filter(({ combination }) => !combinations.has(combination)),
  };
}

function hold({ name, heldOut, mustHoldOut }: Pattern, aside: readonly Sentence[], known: WordCounts): Sentence[] {
  const suitable = distinct(aside, 'combination')
    .filter((each) => known.rarest(each) >= OCCURRENCES)
    .slice(0, heldOut);
  if (suitable.length < heldOut || (mustHoldOut !== undefined && suitable[0]?.zh !== mustHoldOut)) {
    throw new Error(
      `makeCorpus: "${name}" has to hold out ${heldOut} sentences ${mustHoldOut ?? ''}; of ${aside.length} set aside ${suitable.length} fit`,
    );
  }
  return suitable;
}

/** The first sentence of each value of a field. */
function distinct(sentences: readonly Sentence[], field: keyof Sentence): Sentence[] {
  const seen = new Set<string>();
  return sentences.filter((each) => {
    const isNew = !seen.has(each[field]);
    seen.add(each[field]);
    return isNew;
  });
}

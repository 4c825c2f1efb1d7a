import { capitalized } from './english.js';

/** A sentence in both languages. */
export interface Sentence {
  readonly zh: string;
  readonly en: string;
  /**
   * What is combined in it, such as a person and an activity. Of one pattern, all sentences of a combination are in the
   * same part of the corpus, so that held-out sentences combine what was never combined in training.
   */
  readonly combination: string;
}

/** A way to build sentences: all of them, and how many the corpus takes. */
export interface Pattern {
  readonly name: string;
  readonly training: number;
  readonly heldOut: number;
  readonly sentences: readonly Sentence[];
  /** The Chinese of a sentence that has to be among the held-out ones. */
  readonly mustHoldOut: string | undefined;
}

export function pattern(
  name: string,
  training: number,
  heldOut: number,
  sentences: readonly Sentence[],
  mustHoldOut?: string,
): Pattern {
  return { name, training, heldOut, sentences, mustHoldOut };
}

/** A sentence; its English begins with a capital letter. */
export function sentence(zh: string, en: string, ...combined: readonly { readonly zh: string }[]): Sentence {
  return { zh, en: capitalized(en), combination: combined.map((each) => each.zh).join('+') };
}

/** Every tuple of one element from each list. */
export function cross<Lists extends readonly (readonly unknown[])[]>(
  ...lists: Lists
): { [Index in keyof Lists]: Lists[Index][number] }[] {
  const tuples = lists.reduce<unknown[][]>(
    (prefixes, list) => prefixes.flatMap((prefix) => list.map((each) => [...prefix, each])),
    [[]],
  );
  return tuples as { [Index in keyof Lists]: Lists[Index][number] }[];
}

/** How often each n-gram occurs. Keys are the n-gram's words joined by one space. */
export type NgramCounts = Map<string, number>;

/** The counts of the n-grams of exactly `order` words. */
export function countWordNgrams(words: readonly string[], order: number): NgramCounts {
  const counts: NgramCounts = new Map();
  for (let start = 0; start + order <= words.length; start++) {
    let key = words[start] as string;
    for (let next = start + 1; next < start + order; next++) key += ` ${words[next]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The counts of the substrings of exactly `order` code points. */
export function countCharacterNgrams(text: string, order: number): NgramCounts {
  const counts: NgramCounts = new Map();
  for (const ngram of characterNgrams(text, order)) counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  return counts;
}

/** How many n-grams two texts share: the sum of the smaller counts. */
export function countMatches(hypothesis: NgramCounts, reference: NgramCounts): number {
  let matches = 0;
  for (const [ngram, count] of hypothesis) matches += Math.min(count, reference.get(ngram) ?? 0);
  return matches;
}

function characterNgrams(text: string, order: number): string[] {
  const characters = [...text];
  const ngrams: string[] = [];
  if (characters.length === text.length) {
    for (let start = 0; start + order <= text.length; start++) ngrams.push(text.slice(start, start + order));
  } else {
    for (let start = 0; start + order <= characters.length; start++) {
      ngrams.push(characters.slice(start, start + order).join(''));
    }
  }
  return ngrams;
}

/** Texts to learn from: an array, a corpus' side, lines of a file. */
export type TextSource = Iterable<string> | AsyncIterable<string>;

/** How often each piece occurs in the texts. */
export async function countPieces(
  texts: TextSource,
  cut: (text: string) => Iterable<string>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const text of texts) {
    for (const piece of cut(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

/** Texts to learn from: an array, a corpus' side, lines of a file. */
export type TextSource = Iterable<string> | AsyncIterable<string>;

// Some 25 MB of words. What a corpus of a million sentences holds beyond these came once or twice.
const mostDifferent = 1 << 18;

/**
 * How often each piece occurs in the texts. When more than `limit` different pieces are held, the rarest are forgotten
 * (lossy counting, Manku and Motwani 2002), so memory is bounded however large the texts; what is frequent keeps its
 * count but for the few times it had come before it was forgotten.
 */
export async function countPieces(
  texts: TextSource,
  cut: (text: string) => Iterable<string>,
  limit = mostDifferent,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let rare = 1;
  for await (const text of texts) {
    for (const piece of cut(text)) {
      const count = counts.get(piece);
      if (count === undefined) counts.set(detached(piece), 1);
      else counts.set(piece, count + 1);
    }
    if (counts.size > limit) rare = forgetRare(counts, limit / 2, rare);
  }
  return counts;
}

/** Forgets pieces seen up to `rare` times, more often ones too until at most `size` are left; returns how often that was. */
function forgetRare(counts: Map<string, number>, size: number, rare: number): number {
  for (let most = rare; ; most++) {
    for (const [piece, count] of counts) if (count <= most) counts.delete(piece);
    if (counts.size <= size) return most;
  }
}

/** The same text in memory of its own: V8 keeps a whole line alive for a longer word that was cut out of it. */
export function detached(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}

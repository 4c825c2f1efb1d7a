import { baseSymbols, type LearnedPieces } from './bpe-file.js';
import type { Merge } from './learn-merges.js';
import { MergeRules } from './merge-rules.js';
import { toSymbols, type WordCounts } from './train-bpe.js';

/**
 * The part of jointly learned pieces that one language needs: those its words are cut into at least `minFrequency` times,
 * and the ones these are made of. Words all of whose pieces are kept are cut as before, since every merge on the way to a
 * kept piece is kept, in the same order; in others, a rare piece gives way to the smaller ones it is made of.
 */
export function vocabularyOfSide(joint: LearnedPieces, words: WordCounts, minFrequency: number): LearnedPieces {
  const { alphabet, symbols, merges } = joint;
  const rules = new MergeRules(merges);
  const counts = new Map<number, number>();
  const needed = new Set(baseSymbols(alphabet).keys());
  for (const word of toSymbols([words], symbols, alphabet)) {
    for (const id of word.symbols) needed.add(id);
    for (const id of rules.apply(word.symbols).ids) counts.set(id, (counts.get(id) ?? 0) + word.count);
  }
  const madeBy = new Map<number, Merge[]>();
  for (const merge of merges) {
    const known = madeBy.get(merge.result);
    if (known === undefined) madeBy.set(merge.result, [merge]);
    else known.push(merge);
  }
  const open = [...counts].filter(([, count]) => count >= minFrequency).map(([id]) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    for (const { left, right } of madeBy.get(id) ?? []) open.push(left, right);
  }
  const kept = symbols.map((_, id) => id).filter((id) => needed.has(id));
  const renumbered = new Map(kept.map((id, index) => [id, index]));
  const renumber = (id: number): number => renumbered.get(id) as number;
  return {
    alphabet,
    symbols: kept.map((id) => symbols[id] as string),
    merges: merges
      .filter(({ result }) => needed.has(result))
      .map(({ left, right, result }) => ({ left: renumber(left), right: renumber(right), result: renumber(result) })),
  };
}

import { HashSet } from '../corpus/hash-set.js';
import type { LengthSummary } from './length-histogram.js';
import { SideCounter, type SideStatistics } from './side-statistics.js';

/** A corpus in numbers. */
export interface CorpusSummary {
  readonly pairs: number;
  readonly source: SideStatistics;
  readonly target: SideStatistics;
  /** Sources that occur more than once. */
  readonly repeatedSources: number;
}

/**
 * Counts lengths, words, characters and scripts of sentence pairs while they pass by, in bounded memory but for eight
 * bytes a different word and source.
 *
 * @example
 * ```ts
 * const statistics = new CorpusStatistics();
 * for await (const { source, target } of openCorpus(new Blob(['Hi.\t你好。\nHi.\t欢迎来北京\n']))) statistics.add(source, target);
 * const { pairs, target, repeatedSources } = statistics.result();
 * console.log(pairs, target.characters.mean, target.words.max, repeatedSources); // → 2 4 3 1
 * ```
 */
export class CorpusStatistics {
  readonly #sources = new HashSet();
  readonly #source = new SideCounter();
  readonly #target = new SideCounter();
  #pairs = 0;

  add(source: string, target: string): void {
    this.#pairs++;
    this.#sources.add(source);
    this.#source.add(source);
    this.#target.add(target);
  }

  result(): CorpusSummary {
    return {
      pairs: this.#pairs,
      source: this.#source.result(),
      target: this.#target.result(),
      repeatedSources: this.#pairs - this.#sources.size,
    };
  }
}

/** The same in words, several lines. */
export function describeStatistics({ source, target, repeatedSources }: CorpusSummary): string[] {
  return [
    ...describeSide('source', source),
    ...describeSide('target', target),
    `${repeatedSources} pairs repeat an earlier source`,
  ];
}

function describeSide(name: string, side: SideStatistics): string[] {
  const lengths = ({ mean, median, p95, max }: LengthSummary) =>
    `mean ${mean}, median ${median}, 95 % ≤ ${p95}, longest ${max}`;
  const found = Object.entries(side.scripts).map(([script, share]) => `${script} ${(share * 100).toFixed(1)} %`);
  return [
    `${name}: ${found.join(', ') || 'no letters'}`,
    `  characters a sentence: ${lengths(side.characters)} (${side.differentCharacters} different)`,
    `  words a sentence: ${lengths(side.words)} (${side.differentWords} different)`,
  ];
}

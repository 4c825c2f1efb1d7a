export interface LengthSummary {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface SideStatistics {
  /** Characters (code points) a sentence. */
  readonly characters: LengthSummary;
  /** Words a sentence, by Unicode's word boundaries. */
  readonly words: LengthSummary;
  readonly differentCharacters: number;
  readonly differentWords: number;
  /** The scripts of its letters, the most frequent first, as shares. */
  readonly scripts: Readonly<Record<string, number>>;
}

export interface CorpusSummary {
  readonly pairs: number;
  readonly source: SideStatistics;
  readonly target: SideStatistics;
  /** Sources that occur more than once. */
  readonly repeatedSources: number;
}

const scripts = [
  'Latin',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Greek',
  'Thai',
  'Devanagari',
  'Bengali',
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'gu')] as const);

/** Counts while pairs pass by. */
export class CorpusStatistics {
  readonly #sources = new Set<string>();
  readonly #source = new Side();
  readonly #target = new Side();
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

  describe(): string {
    const { source, target, repeatedSources } = this.result();
    return [
      describeSide('source', source),
      describeSide('target', target),
      `${repeatedSources} pairs repeat an earlier source`,
    ].join('\n');
  }
}

class Side {
  readonly #segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  readonly #characters = new Set<string>();
  readonly #words = new Set<string>();
  readonly #scripts = new Map<string, number>();
  readonly #characterLengths = new Histogram();
  readonly #wordLengths = new Histogram();

  add(text: string): void {
    let length = 0;
    for (const character of text) {
      this.#characters.add(character);
      length++;
    }
    let words = 0;
    for (const { segment, isWordLike } of this.#segmenter.segment(text)) {
      if (!isWordLike) continue;
      this.#words.add(segment);
      words++;
    }
    this.#characterLengths.add(length);
    this.#wordLengths.add(words);
    for (const [name, pattern] of scripts) {
      const count = text.match(pattern)?.length ?? 0;
      if (count > 0) this.#scripts.set(name, (this.#scripts.get(name) ?? 0) + count);
    }
  }

  result(): SideStatistics {
    const letters = [...this.#scripts.values()].reduce((sum, count) => sum + count, 0);
    const ordered = [...this.#scripts].sort((a, b) => b[1] - a[1]);
    return {
      characters: this.#characterLengths.summary(),
      words: this.#wordLengths.summary(),
      differentCharacters: this.#characters.size,
      differentWords: this.#words.size,
      scripts: Object.fromEntries(ordered.map(([name, count]) => [name, Number((count / letters).toFixed(4))])),
    };
  }
}

/** How often each length came: as large as there are different lengths, however many texts pass by. */
class Histogram {
  readonly #counts = new Map<number, number>();
  #size = 0;

  add(length: number): void {
    this.#counts.set(length, (this.#counts.get(length) ?? 0) + 1);
    this.#size++;
  }

  summary(): LengthSummary {
    const ordered = [...this.#counts].sort(([a], [b]) => a - b);
    const at = (share: number): number => {
      let before = Math.min(this.#size - 1, Math.floor(share * this.#size));
      for (const [length, count] of ordered) {
        if (before < count) return length;
        before -= count;
      }
      return 0;
    };
    const total = ordered.reduce((sum, [length, count]) => sum + length * count, 0);
    const mean = total / Math.max(1, this.#size);
    return { mean: Number(mean.toFixed(2)), median: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  }
}

function describeSide(name: string, side: SideStatistics): string {
  const lengths = ({ mean, median, p95, max }: LengthSummary) =>
    `mean ${mean}, median ${median}, 95 % ≤ ${p95}, longest ${max}`;
  const found = Object.entries(side.scripts).map(([script, share]) => `${script} ${(share * 100).toFixed(1)} %`);
  return [
    `${name}: ${found.join(', ') || 'no letters'}`,
    `  characters a sentence: ${lengths(side.characters)} (${side.differentCharacters} different)`,
    `  words a sentence: ${lengths(side.words)} (${side.differentWords} different)`,
  ].join('\n');
}

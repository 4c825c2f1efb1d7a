/** What is to be known of many lengths. */
export interface LengthSummary {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** How often each length came: as large as there are different lengths, however many texts pass by. */
export class LengthHistogram {
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

// Drawing translations instead of searching for the best.
import { Random } from '@seqloom/tensor-ops';
import { restrict, type SpecialIds } from './allowed.js';
import type { Path } from './hypothesis.js';
import type { SearchSettings } from './options.js';
import { type Choice, SentenceSearch, type StepScores } from './sentence-search.js';

/** Draws `nBest` translations independently, each token from softmax(log p / temperature) over the top k and the top p. */
export class Sampling extends SentenceSearch {
  private readonly random: Random;

  constructor(settings: SearchSettings, ids: SpecialIds, maxLength: number, copies: Int32Array | null, seed: number) {
    super(settings, ids, maxLength, copies);
    this.random = new Random(seed);
  }

  advance({ rows, attention }: StepScores): Choice {
    const next: { path: Path; parent: number }[] = [];
    const draws = this.live[0]!.length === 0 && this.ended.length === 0 ? this.settings.nBest : 1; // all begin at one root
    for (const [row, parent] of this.live.entries()) {
      const given = rows[row]!.slice();
      restrict(rows[row]!, parent, this.settings, this.ids);
      for (let draw = 0; draw < draws; draw++) {
        const token = drawToken(rows[row]!, this.settings, this.random);
        const total = parent.total + rows[row]![token]!;
        const logProbability = given[token]!;
        if (token === this.ids.eosId) this.end(parent, total, 'eos', logProbability);
        else {
          const length = parent.length + 1;
          next.push({
            path: { parent, token, logProbability, total, length, attention: attention[row]! },
            parent: row,
          });
        }
      }
    }
    return this.goOn(next);
  }
}

/** A token drawn from the row's distribution, cut to the most probable ones. */
export function drawToken(
  row: Float32Array,
  { temperature = 1, topK = Infinity, topP = 1 }: Pick<SearchSettings, 'temperature' | 'topK' | 'topP'>,
  random: Random,
): number {
  const order = [...row.keys()].filter((token) => row[token]! > -Infinity).sort((a, b) => row[b]! - row[a]! || a - b);
  const most = row[order[0]!]!;
  const kept = order.slice(0, topK);
  const weights = kept.map((token) => Math.exp((row[token]! - most) / temperature));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let size = 0;
  let mass = 0;
  while (size < weights.length && mass < topP * whole) mass += weights[size++]!;
  let left = random.uniform() * mass;
  for (let i = 0; i < size; i++) {
    left -= weights[i]!;
    if (left < 0) return kept[i]!;
  }
  return kept[size - 1]!;
}

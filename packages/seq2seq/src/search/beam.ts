// Beam search; with a beam of one it is greedy search.
import { restrict } from './allowed.js';
import { bestCandidates } from './best-candidates.js';
import type { Path } from './hypothesis.js';
import { bestReachable } from './score.js';
import { type Choice, SentenceSearch, type StepScores } from './sentence-search.js';

/**
 * Keeps the `beam` best unfinished beginnings. `<eos>` ends a hypothesis where it is among the `beam` best continuations.
 *
 * @see Sutskever et al. 2014, §3.2
 */
export class BeamSearch extends SentenceSearch {
  advance({ rows, attention }: StepScores): Choice {
    const { beam } = this.settings;
    const penalised = this.settings.repetitionPenalty > 1; // what else is restricted cannot be chosen, or keeps its value
    const given = penalised ? rows.map((row) => row.slice()) : rows;
    for (const [i, path] of this.live.entries()) restrict(rows[i]!, path, this.settings, this.ids);
    const totals = this.live.map((path) => path.total);
    const next: { path: Path; parent: number }[] = [];
    // each row offers one <eos> at most, so twice the beam leaves enough to go on with
    for (const [rank, { row, token, total }] of bestCandidates(totals, rows, 2 * beam).entries()) {
      const parent = this.live[row]!;
      const logProbability = given[row]![token]!;
      if (token !== this.ids.eosId) {
        if (next.length === beam) continue;
        const path = { parent, token, logProbability, total, length: parent.length + 1, attention: attention[row]! };
        next.push({ path, parent: row });
      } else if (rank < beam) {
        this.end(parent, total, 'eos', logProbability);
      }
    }
    if (this.settled(next.map(({ path }) => path))) return this.goOn([]);
    return this.goOn(next);
  }

  private settled(paths: Path[]): boolean {
    const { beam, nBest, earlyStopping = 'count' } = this.settings;
    if (earlyStopping === 'count') return this.ended.length >= beam;
    const worst = this.ranked()[nBest - 1];
    if (!worst) return false;
    return paths.every(
      (path) => bestReachable(path.total, path.length + 1, this.maxLength, this.settings) <= worst.score,
    );
  }
}

// Which tokens may come next, and at what price.
import { type Path, steps } from './hypothesis.js';
import type { SearchSettings } from './options.js';

/** The special ids that search must know. */
export interface SpecialIds {
  padId: number;
  unkId: number;
  bosId: number;
  eosId: number;
}

/**
 * Changes a row of next-token log-probabilities in place: `-Infinity` for what must not come, more negative for repetitions.
 * Where nothing would be left, `<eos>` is.
 */
export function restrict(row: Float32Array, path: Path, settings: SearchSettings, ids: SpecialIds): void {
  const forced = settings.prefix[path.length];
  if (forced !== undefined) {
    const kept = row[forced]!;
    row.fill(-Infinity);
    row[forced] = kept;
    return;
  }
  const end = row[ids.eosId]!;
  const tokens = settings.noRepeatNgram > 0 || settings.repetitionPenalty > 1 ? steps(path).map((s) => s.token) : [];
  if (settings.repetitionPenalty > 1) {
    for (const token of new Set(tokens)) row[token]! *= settings.repetitionPenalty;
  }
  for (const token of repeats(tokens, settings.noRepeatNgram)) row[token] = -Infinity;
  if (path.length < settings.minLength) row[ids.eosId] = -Infinity;
  if (!settings.allowUnknown) row[ids.unkId] = -Infinity;
  row[ids.padId] = -Infinity;
  row[ids.bosId] = -Infinity;
  if (row.every((value) => value === -Infinity)) row[ids.eosId] = end;
}

/** Tokens that would complete an n-gram a second time. */
function repeats(tokens: readonly number[], n: number): number[] {
  if (n === 0 || tokens.length < n) return [];
  const last = tokens.slice(tokens.length - n + 1);
  const found: number[] = [];
  for (let start = 0; start + n <= tokens.length; start++) {
    if (last.every((token, i) => tokens[start + i] === token)) found.push(tokens[start + n - 1]!);
  }
  return found;
}

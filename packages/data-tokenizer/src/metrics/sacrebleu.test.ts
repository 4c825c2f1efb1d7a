import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bleu, sentenceBleu } from './bleu.js';
import { chrf } from './chrf.js';
import { ter } from './ter.js';

const scorers = { bleu, chrf, ter };
const withoutVersion = (signature: string) => signature.replace(/\|version:.*$/, '');

interface Case {
  set: string;
  metric: keyof typeof scorers;
  references: number;
  options: Record<string, unknown>;
  score: number;
  signature: string;
  [detail: string]: unknown;
}

function expectSame(got: object, expected: Record<string, unknown>) {
  for (const [key, value] of Object.entries(expected)) {
    const own: unknown = (got as Record<string, unknown>)[key];
    const pairs = Array.isArray(value) ? value.map((each, index) => [(own as number[])[index], each]) : [[own, value]];
    for (const [mine, theirs] of pairs)
      expect(Math.abs(mine - theirs), `${key}: ${mine} and ${theirs}`).toBeLessThan(1e-6);
  }
}

describe('scores equal those of sacreBLEU 2.6.0', () => {
  const path = new URL('../../fixtures/sacrebleu/expected.json', import.meta.url);
  const fixture: {
    sets: Record<string, string[][]>;
    cases: Case[];
    sentences: { set: string; line: number; score: number }[];
    longTer: { hypothesis: string; reference: string; score: number }[];
  } = JSON.parse(readFileSync(path, 'utf8'));
  const column = (set: string, index: number) => (fixture.sets[set] as string[][]).map((line) => line[index] as string);

  for (const metric of ['bleu', 'chrf', 'ter'] as const) {
    const cases = fixture.cases.filter((each) => each.metric === metric);
    it(`${metric}: ${cases.length} combinations of text, references and options, with their signatures`, () => {
      expect(cases.length).toBeGreaterThan(10);
      for (const { set, metric, references, options, signature, ...values } of cases) {
        const sets = Array.from({ length: references }, (_, index) => column(set, index + 1));
        const got = scorers[metric](column(set, 0), sets, options);
        expect(withoutVersion(got.signature)).toBe(withoutVersion(signature));
        expectSame(got, values);
      }
    });
  }

  it('sentence BLEU with two references', () => {
    for (const { set, line, score } of fixture.sentences) {
      const [hypothesis = '', ...references] = (fixture.sets[set] as string[][])[line] as string[];
      expectSame(sentenceBleu(hypothesis, references), { score });
    }
  });

  it('TER of sentences at the limits of its search', () => {
    for (const { hypothesis, reference, score } of fixture.longTer)
      expectSame(ter([hypothesis], [reference]), { score });
  });
});

const shared = new URL('../../../../../shared/scores/', import.meta.url);

describe.skipIf(!existsSync(new URL('expected.json', shared)))('scores of the larger sets equal sacreBLEU’s', () => {
  const lines = (name: string) => readFileSync(new URL(name, shared), 'utf8').replace(/\n$/, '').split('\n');

  it('English, German and Chinese, 300 lines each', () => {
    const cases = JSON.parse(readFileSync(new URL('expected.json', shared), 'utf8'));
    expect(cases.length).toBeGreaterThan(50);
    for (const { set, metric, refs, line, score, signature, tokenize, lowercase, wordOrder, ...details } of cases) {
      const hypotheses = lines(`${set}.hyp`);
      const references = lines(`${set}.ref`);
      if (metric === 'sentence-bleu') {
        const options = { tokenize: set === 'zh' ? ('zh' as const) : ('13a' as const) };
        expectSame(sentenceBleu(hypotheses[line] as string, references[line] as string, options), { score });
        continue;
      }
      const options = Object.fromEntries(
        Object.entries({ tokenize, lowercase, wordOrder }).filter(([, value]) => value !== undefined),
      );
      const sets = refs === 2 ? [references, lines(`${set}.ref2`)] : references;
      const got = scorers[metric as keyof typeof scorers](hypotheses, sets, options);
      expect(withoutVersion(got.signature)).toBe(withoutVersion(signature));
      expectSame(got, { score, ...details });
    }
  });
});

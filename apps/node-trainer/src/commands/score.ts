import {
  type BleuScore,
  type BleuTokenizerName,
  bootstrapConfidence,
  pairedBootstrap,
  scoreCorpus,
} from '@seqloom/data-tokenizer';
import { Command, Option } from 'commander';
import { InputError } from '../errors.js';
import { createMetric, type ScoreName, scoreNames } from '../scores.js';
import { readAlignedLines } from '../text-lines.js';
import { commaList, wholeNumber } from './arguments.js';

interface ScoreOptions {
  readonly metrics: ScoreName[];
  readonly tokenize?: BleuTokenizerName;
  readonly lowercase?: boolean;
  readonly wordOrder?: number;
  readonly terCaseSensitive?: boolean;
  readonly stripStress?: boolean;
  readonly confidence?: boolean;
  readonly compare?: string;
  readonly samples: number;
  readonly seed: number;
  readonly json?: boolean;
}

export function scoreCommand(): Command {
  return new Command('score')
    .description('score a file of translations against references, as sacreBLEU does (- is standard input)')
    .argument('<hypothesis>', 'one translation a line')
    .argument('<references...>', 'one reference a line; several files are several references a sentence')
    .option('--metrics <names>', scoreNames.join(', '), commaList(scoreNames), ['bleu', 'chrf', 'ter'] as ScoreName[])
    .addOption(
      new Option('--tokenize <name>', "BLEU's tokenizer (default: 13a)").choices(['13a', 'intl', 'zh', 'char', 'none']),
    )
    .option('--lowercase', 'ignore case (TER ignores it anyway)')
    .option('--word-order <n>', "chrF's word order: 2 is chrF++", wholeNumber(0))
    .option('--ter-case-sensitive', 'let TER see case')
    .option('--strip-stress', 'phonemeErrorRate ignores the stress digits of ARPAbet')
    .option('--confidence', 'add the 95 % interval by bootstrap resampling')
    .option('--compare <file>', 'another system’s translations: paired bootstrap test against them')
    .option('--samples <n>', 'test sets to draw', wholeNumber(1), 1000)
    .option('--seed <n>', 'seed of the draws', wholeNumber(0), 12345)
    .option('--json', 'print JSON')
    .action(score);
}

async function score(hypothesisFile: string, referenceFiles: string[], options: ScoreOptions): Promise<void> {
  const others = options.compare === undefined ? [] : [options.compare];
  const files = [hypothesisFile, ...referenceFiles, ...others];
  const texts = await readAlignedLines(files);
  const hypotheses = texts[0]!;
  if (hypotheses.length === 0)
    throw new InputError('there must be at least one line to score; got 0', { file: hypothesisFile });
  const references = texts.slice(1, 1 + referenceFiles.length);
  const draws = { samples: options.samples, seed: options.seed };

  const results: Record<string, Record<string, unknown>> = {};
  for (const name of options.metrics) {
    const metric = createMetric(name, options);
    const { warnings, ...scored } = scoreCorpus(metric, hypotheses, references);
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    results[name] = {
      ...reported(name, scored),
      ...(options.confidence && { confidence: bootstrapConfidence(metric, hypotheses, references, draws) }),
      ...(options.compare !== undefined && {
        comparison: pairedBootstrap(metric, hypotheses, texts.at(-1)!, references, draws),
      }),
    };
  }
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : toText(results));
}

/** What a score is reported with; BLEU's counts and lengths are in its precisions and its brevity penalty. */
function reported(name: ScoreName, scored: object): object {
  if (name !== 'bleu') return scored;
  const { score, precisions, bp, signature } = scored as BleuScore & { signature: string };
  return { score, signature, precisions, bp };
}

function toText(results: Readonly<Record<string, Record<string, unknown>>>): string {
  const lines = Object.entries(results).map(([name, result]) => {
    const { score, precisions, bp, signature, confidence, comparison } = result as {
      score: number;
      precisions?: number[];
      bp?: number;
      signature: string;
      confidence?: { mean: number; margin: number };
      comparison?: { baseline: { score: number }; difference: number; pValue: number };
    };
    return [
      `${name} ${score.toFixed(2)}`,
      precisions && `(${precisions.map((value) => value.toFixed(1)).join('/')}, BP ${bp!.toFixed(3)})`,
      confidence && `± ${confidence.margin.toFixed(2)} around ${confidence.mean.toFixed(2)}`,
      comparison &&
        `against ${comparison.baseline.score.toFixed(2)}: ${comparison.difference >= 0 ? '+' : ''}${comparison.difference.toFixed(2)}, p = ${comparison.pValue.toFixed(4)}`,
      signature,
    ]
      .filter((part) => part !== undefined)
      .join('  ');
  });
  return `${lines.join('\n')}\n`;
}

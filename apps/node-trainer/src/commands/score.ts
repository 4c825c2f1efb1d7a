import {
  type BleuScore,
  type BleuTokenizerName,
  bootstrapConfidence,
  type DefectPolicy,
  type Metric,
  pairedBootstrap,
  scoreCorpus,
} from '@seqloom/data-tokenizer';
import { Command, Option } from 'commander';
import { InputError } from '../errors.js';
import { showWork } from '../progress/work-progress.js';
import { createMetric, type ScoreName, scoreNames } from '../scores.js';
import { readAlignedLines } from '../text-lines.js';
import { commaList, onInvalidOption, quietOption, wholeNumber } from './arguments.js';

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
  readonly onInvalid: DefectPolicy;
  readonly maxLineBytes?: number;
  readonly quiet?: boolean;
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
    .option('--word-order <n>', "chrF's word order: 2 is chrF++", wholeNumber(0, 100))
    .option('--ter-case-sensitive', 'let TER see case')
    .option('--strip-stress', 'phonemeErrorRate ignores the stress digits of ARPAbet')
    .option('--confidence', 'add the 95 % interval by bootstrap resampling')
    .option('--compare <file>', 'another system’s translations: paired bootstrap test against them')
    .option('--samples <n>', 'test sets to draw', wholeNumber(1), 1000)
    .option('--seed <n>', 'seed of the draws', wholeNumber(0), 12345)
    .addOption(onInvalidOption('for NUL and invalid UTF-8; skip leaves such a line out of all files'))
    .option('--max-line-bytes <n>', 'longest line (default: 1 MiB)', wholeNumber(1))
    .addOption(quietOption())
    .option('--json', 'print JSON')
    .action(score);
}

async function score(hypothesisFile: string, referenceFiles: string[], options: ScoreOptions): Promise<void> {
  const others = options.compare === undefined ? [] : [options.compare];
  const files = [hypothesisFile, ...referenceFiles, ...others];
  const quiet = options.quiet || options.json;
  const { texts, defects } = await readAlignedLines(files, { ...options, quiet });
  const hypotheses = texts[0]!;
  if (hypotheses.length === 0)
    throw new InputError('there must be at least one line to score; got 0', { file: hypothesisFile });
  if (defects > 0) {
    const fate = options.onInvalid === 'skip' ? 'left out of all files' : 'mended with U+FFFD';
    process.stderr.write(`warning: ${defects} ${defects === 1 ? 'line is' : 'lines are'} not clean text: ${fate}\n`);
  }
  const references = texts.slice(1, 1 + referenceFiles.length);
  const draws = { samples: options.samples, seed: options.seed };

  const results: Record<string, Record<string, unknown>> = {};
  for (const name of options.metrics) {
    const progress = scoringProgress(name, hypotheses.length, options, quiet);
    const metric = progress.watch(createMetric(name, options));
    const { warnings, ...scored } = scoreCorpus(metric, hypotheses, references);
    results[name] = {
      ...reported(name, scored),
      ...(options.confidence && { confidence: bootstrapConfidence(metric, hypotheses, references, draws) }),
      ...(options.compare !== undefined && {
        comparison: pairedBootstrap(metric, hypotheses, texts.at(-1)!, references, draws),
      }),
    };
    progress.stop();
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  }
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : toText(results));
}

// A sentence of a drawn test set costs an addition, one that is scored some microseconds.
const drawnSentence = 0.01;

/** Shows how far a score is: every sentence is looked at once, and again for each bootstrap test, which sum up draws. */
function scoringProgress(name: ScoreName, sentences: number, options: ScoreOptions, quiet: boolean | undefined) {
  const { confidence, compare, samples } = options;
  const passes = 1 + (confidence ? 1 : 0) + (compare === undefined ? 0 : 2);
  const draws = (confidence ? samples : 0) + (compare === undefined ? 0 : 2 * samples);
  const total = sentences * (passes + draws * drawnSentence);
  const progress = showWork({ noun: `sentences, ${name}`, total, quiet });
  return {
    stop: progress.stop,
    watch: (metric: Metric<{ readonly score: number }>): Metric<{ readonly score: number }> => ({
      ...metric,
      statistics(hypothesis, references) {
        progress.advance(1);
        progress.count();
        return metric.statistics(hypothesis, references);
      },
      score(sums) {
        progress.advance(sentences * drawnSentence);
        return metric.score(sums);
      },
    }),
  };
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

// `pnpm demo`: trains the Chinese→English attention model on the corpus that comes with seqloom and shows what it learned.
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { useBackend } from '@seqloom/seq2seq';
import { memory } from '@tensorflow/tfjs-core';
import pc from 'picocolors';
import stringWidth from 'string-width';
import { attentionGrid } from './attention-map/terminal.js';
import { loadRunConfig } from './config/load-config.js';
import { describeError, exitCodeOf } from './errors.js';
import { withSignals } from './interrupt.js';
import { createView } from './progress/create-view.js';
import { writeReport } from './report/write-report.js';
import { openTranslator } from './run/model-folder.js';
import { writeFileAtomic } from './run/write-file.js';
import { type PreparedRun, prepareRun } from './training/prepare-run.js';
import { trainRun } from './training/train-run.js';

const out = fileURLToPath(new URL('../../../runs/demo', import.meta.url));
const recipe = fileURLToPath(new URL('../recipes/zh-en-demo.yaml', import.meta.url));
const highlight = '欢迎来北京';
const shown = 6;

async function demo(): Promise<void> {
  await rm(out, { recursive: true, force: true });
  const backend = await useBackend();
  const before = memory().numTensors;
  const config = { ...(await loadRunConfig(recipe, [])), out };
  const run = await prepareRun(config, availableParallelism());
  say(pc.bold('Seqloom demo: Chinese → English with attention'));
  for (const note of run.notes) say(`  ${note}`);

  const view = createView({});
  const { metrics, reason } = await withSignals((signal) => trainRun(run, view, signal)).finally(() => view.close());
  await writeReport([out]);
  await showTranslations(run);
  run.model.dispose();

  const result = {
    heldOut: { pairs: run.test.ids.length, exactMatch: Number(metrics.test?.exactMatch) / 100 },
    backend: backend.name,
    seconds: metrics.seconds,
    tokensPerSecond: metrics.tokensPerSecond,
    numTensorsLeaked: memory().numTensors - before,
  };
  await writeFileAtomic(path.join(out, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  const { heldOut, seconds, tokensPerSecond } = result;
  say(
    `\n${(100 * heldOut.exactMatch).toFixed(1)} % of ${heldOut.pairs} held-out sentences are exactly right after ${seconds.toFixed(0)} s of training (${Math.round(tokensPerSecond).toLocaleString('en')} tokens/s, end: ${reason}).`,
  );
  say(`Open ${pc.underline(path.relative(process.cwd(), path.join(out, 'report.html')))} in a browser; try the model:`);
  say(`  echo 我哥哥喜欢唱歌。 | npx -y pnpm@10 -s seqloom translate --model ${path.relative(process.cwd(), out)}`);
}

/** Some held-out sentences, and what the model looked at in one of them. */
async function showTranslations({ test }: PreparedRun): Promise<void> {
  const translator = await openTranslator([out]);
  const step = Math.floor(test.pairs.length / shown);
  const pairs = test.pairs.filter(({ source }, i) => i % step === 0 && source !== highlight).slice(0, shown);
  const translations = await translator.translate([...pairs.map(({ source }) => source), highlight]);
  say(`\n${pc.bold('Sentences it never saw')}`);
  const width = Math.max(...pairs.map(({ source }) => stringWidth(source)));
  for (const [i, { source, target }] of pairs.entries()) {
    const text = translations[i]?.hypotheses[0]?.text ?? '';
    const verdict = text === target ? pc.green('✓') : pc.yellow(`✗ ${pc.dim(`(reference: ${target})`)}`);
    say(`  ${source}${' '.repeat(width - stringWidth(source))}  →  ${text} ${verdict}`);
  }
  const best = translations.at(-1)?.hypotheses[0];
  say(`\n${pc.bold(`${highlight} → ${best?.text ?? ''}`)}   what the model looked at:\n`);
  if (best?.attention) say(attentionGrid(best.attention, { color: pc.isColorSupported }).replaceAll(/^/gm, '  '));
  for (const model of translator.models) model.dispose();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

demo().catch((error: unknown) => {
  process.stderr.write(`seqloom demo: ${describeError(error, process.argv.includes('--debug'))}\n`);
  process.exitCode = exitCodeOf(error);
});

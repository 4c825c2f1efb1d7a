// The course notes' bottleneck, measured: the same model with and without attention learns to copy, and is asked for sequences of
// every length. Writes docs/models/bottleneck.svg and the table in docs/models/bottleneck.md.
// Usage, from the root: node scripts/from-source.mjs packages/seq2seq/scripts/bottleneck.ts
import { readFile, writeFile } from 'node:fs/promises';
import { Seq2Seq, train, translateBatch, useBackend } from '../src/index.js';
import { copyBatches, sequences } from '../src/testing/copy-task.js';
import { bottleneckFigure, type Curve } from './bottleneck-figure.js';

const STEPS = 2000;
const LONGEST = 20;
const LENGTHS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20];
const PAGE = new URL('../../../docs/models/bottleneck.md', import.meta.url);
const FIGURE = new URL('../../../docs/models/bottleneck.svg', import.meta.url);

await useBackend();
const curves = [
  await curve('dot attention', { kind: 'concat', attention: 'dot' }),
  await curve('last state only', { kind: 'plain' }),
];
await writeFile(FIGURE, bottleneckFigure(LENGTHS, curves));
const page = await readFile(PAGE, 'utf8');
const before = page.slice(0, page.indexOf('| length |'));
const after = page.slice(page.indexOf('\n\n', before.length));
await writeFile(PAGE, before + table() + after);

async function curve(name: string, decoder: { kind: 'concat' | 'plain'; attention?: 'dot' }): Promise<Curve> {
  const model = Seq2Seq.create({
    encoder: { cell: 'gru', hiddenSize: 64 },
    decoder,
    bridge: 'last',
    sourceVocabulary: 12,
    targetVocabulary: 12,
    seed: 1,
  });
  const batches = copyBatches(STEPS, 64, { symbols: 8, shortest: 1, longest: LONGEST, seed: 1 });
  const began = performance.now();
  for await (const event of train(model, batches, {
    optimizer: { learningRate: 4e-3 },
    schedule: { name: 'cosine', warmUpSteps: 50, totalSteps: STEPS, finalShare: 0.02 },
  })) {
    if (event.type === 'step' && event.step % 100 === 0) {
      process.stderr.write(`${name}: step ${event.step} of ${STEPS}, loss ${event.loss.toFixed(3)}\n`);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  const exact: number[] = [];
  for (const length of LENGTHS) exact.push(await copied(model, length));
  process.stderr.write(`${name}: ${seconds.toFixed(0)} s of training\n`);
  return { name, exact };
}

/** Share of 200 sequences of a length that greedy search copies without a mistake. */
async function copied(model: Seq2Seq, length: number): Promise<number> {
  const asked = sequences(200, { symbols: 8, shortest: length, longest: length, seed: 1_000_000 });
  const found = await translateBatch(model, asked, { maxLength: length + 5 });
  return found.filter(([best], i) => String(best!.tokens) === String(asked[i])).length / asked.length;
}

function table(): string {
  const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['length', ...LENGTHS]),
    row(['---', ...LENGTHS.map(() => '--:')]),
    ...curves.map(({ name, exact }) => row([name, ...exact.map((share) => `${(100 * share).toFixed(1)} %`)])),
  ].join('\n');
}

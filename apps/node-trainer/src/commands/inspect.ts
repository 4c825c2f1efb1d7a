import type { TextSide } from '@seqloom/data-tokenizer';
import type { ModelConfig } from '@seqloom/seq2seq';
import { Command } from 'commander';
import { InputError } from '../errors.js';

export function inspectCommand(): Command {
  return new Command('inspect')
    .description('the layers of a model with their shapes and parameter counts, and its text settings')
    .argument('[folder]', 'a model folder')
    .option('--model <folder>', 'the same')
    .option('--json', 'print JSON')
    .action(inspect);
}

async function inspect(folder: string | undefined, options: { model?: string; json?: boolean }): Promise<void> {
  const directory = folder ?? options.model;
  if (directory === undefined) throw new InputError('inspect: which folder? Say seqloom inspect FOLDER');
  const { openModelFolder } = await import('../run/model-folder.js');
  const { model, codec, search } = await openModelFolder(directory);
  const unique = model.uniqueParameters();
  const layers = [...unique].map(([name, parameter]) => ({ name, shape: parameter.shape, parameters: parameter.size }));
  const total = layers.reduce((sum, layer) => sum + layer.parameters, 0);
  const text = {
    ...codec.settings(),
    vocabulary: { source: codec.source.size, target: codec.target.size },
  };
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ model: model.config, layers, parameters: total, text, search }, null, 2)}\n`,
    );
    return;
  }
  const width = Math.max(...layers.map(({ name }) => name.length));
  const rows = layers.map(
    ({ name, shape, parameters }) =>
      `  ${name.padEnd(width)}  ${`[${shape.join(', ')}]`.padEnd(14)} ${count(parameters).padStart(12)}`,
  );
  process.stdout.write(
    `${[
      ...describeNetwork(model.config),
      ...rows,
      `  ${'in all'.padEnd(width)}  ${''.padEnd(14)} ${count(total).padStart(12)}`,
      `direction: ${text.direction ?? 'not said'}`,
      ...(['source', 'target'] as const).map((side) => describeSide(side, codec[side])),
      `longest source: ${codec.maxPieces} pieces`,
    ].join('\n')}\n`,
  );
}

function describeNetwork(config: ModelConfig): string[] {
  if (config.kind === 'transformer') return [`transformer: ${describeValues(config.transformer)}`];
  const { encoder, decoder, bridge } = config;
  return [`encoder: ${describeValues(encoder)}`, `decoder: ${describeValues(decoder)}`, `bridge: ${bridge}`];
}

/** Switches that are usually on. */
const usual: Readonly<Record<string, boolean>> = { attentionBias: true, resetAfter: true };

/** What is set, without what is off or as usual. */
function describeValues(values: object): string {
  const set = Object.entries(values).filter(
    ([name, value]) => value !== (usual[name] ?? false) && value !== 0 && value !== null,
  );
  return set.map(([name, value]) => (value === true ? name : `${name} ${String(value)}`)).join(', ');
}

function describeSide(name: string, { tokenizer, settings, size }: TextSide): string {
  const { pre_tokenizer, model } = tokenizer.toJSON();
  const kind = (pre_tokenizer as { seqloom?: { segmentation?: string } } | null)?.seqloom?.segmentation ?? model.type;
  return `${name}: ${kind}, ${count(size)} pieces, language ${settings.language ?? 'not said'}, normalised by ${settings.normalize.join(', ') || 'nothing'}`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

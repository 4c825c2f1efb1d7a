import path from 'node:path';
import { Command, Option } from 'commander';
import { InputError } from '../errors.js';

interface ExportOptions {
  readonly model: string;
  readonly to: 'pytorch';
  readonly out: string;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('write a model for another framework: its weights, and a module that loads them')
    .requiredOption('--model <folder>', 'the model folder')
    .addOption(new Option('--to <framework>', 'for which').choices(['pytorch']).makeOptionMandatory())
    .requiredOption('--out <folder>', 'where model.safetensors and model.py go')
    .action(exportModel);
}

async function exportModel({ model: directory, out }: ExportOptions): Promise<void> {
  if (path.resolve(out) === path.resolve(directory)) {
    throw new InputError('export: --out must be another folder than --model', { file: out });
  }
  const [{ openModelFolder }, { writePyTorch }] = await Promise.all([
    import('../run/model-folder.js'),
    import('../pytorch/folder.js'),
  ]);
  const { model } = await openModelFolder(directory);
  await writePyTorch(out, model);
  process.stdout.write(`${out}: model.py and model.safetensors\n`);
}

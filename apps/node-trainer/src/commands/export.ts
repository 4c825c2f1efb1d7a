import path from 'node:path';
import { Command, Option } from 'commander';
import { InputError } from '../errors.js';

interface ExportOptions {
  readonly model: string;
  readonly to: 'pytorch' | 'int8';
  readonly out: string;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('write a model in another form: for PyTorch, or in a quarter of the size')
    .requiredOption('--model <folder>', 'the model folder')
    .addOption(
      new Option(
        '--to <form>',
        'pytorch: its weights, and a module that loads them; int8: a model folder whose matrices have 8 bits',
      )
        .choices(['pytorch', 'int8'])
        .makeOptionMandatory(),
    )
    .requiredOption('--out <folder>', 'where the files go')
    .action(exportModel);
}

async function exportModel({ model: directory, to, out }: ExportOptions): Promise<void> {
  if (path.resolve(out) === path.resolve(directory)) {
    throw new InputError('export: --out must be another folder than --model', { file: out });
  }
  const [{ openModelFolder, saveModelFolder }, { writePyTorch }] = await Promise.all([
    import('../run/model-folder.js'),
    import('../pytorch/folder.js'),
  ]);
  const opened = await openModelFolder(directory);
  if (to === 'int8') {
    await saveModelFolder(out, opened, { precision: 'int8' });
    process.stdout.write(`${out}: the model in 8 bits\n`);
    return;
  }
  await writePyTorch(out, opened.model);
  process.stdout.write(`${out}: model.py and model.safetensors\n`);
}

import { Command, Option } from 'commander';
import { InputError } from '../errors.js';

interface ImportOptions {
  readonly from: 'pytorch' | 'int8';
  readonly model?: string;
  readonly out: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description('bring a model back from another form')
    .argument(
      '<weights>',
      'pytorch: a safetensors file, or the folder with model.safetensors in it; int8: a model folder',
    )
    .addOption(
      new Option(
        '--from <form>',
        'pytorch: weights that were trained there; int8: a model in 8 bits, made floats again',
      )
        .choices(['pytorch', 'int8'])
        .makeOptionMandatory(),
    )
    .option('--model <folder>', 'pytorch: the model folder that was exported; its config and text settings are kept')
    .requiredOption('--out <folder>', 'the model folder to write')
    .action(importModel);
}

async function importModel(weights: string, { from, model: directory, out }: ImportOptions): Promise<void> {
  if (from === 'pytorch' && directory === undefined) {
    throw new InputError('import: --from pytorch needs --model, the folder that was exported');
  }
  if (from === 'int8' && directory !== undefined) {
    throw new InputError('import: --model has no effect with --from int8, whose folder is a whole model');
  }
  const [{ openModelFolder, saveModelFolder }, { readPyTorch }] = await Promise.all([
    import('../run/model-folder.js'),
    import('../pytorch/folder.js'),
  ]);
  const opened = await openModelFolder(directory ?? weights);
  if (directory !== undefined) await readPyTorch(weights, opened.model);
  await saveModelFolder(out, opened);
  process.stdout.write(
    directory === undefined
      ? `${out}: the model of ${weights} in 32 bits\n`
      : `${out}: the model of ${directory} with the weights of ${weights}\n`,
  );
}

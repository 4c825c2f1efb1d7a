import { Command, Option } from 'commander';

interface ImportOptions {
  readonly from: 'pytorch';
  readonly model: string;
  readonly out: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description('bring weights back that another framework trained')
    .argument('<weights>', 'a safetensors file, or the folder with model.safetensors in it')
    .addOption(new Option('--from <framework>', 'from which').choices(['pytorch']).makeOptionMandatory())
    .requiredOption('--model <folder>', 'the model folder that was exported: its config and text settings are kept')
    .requiredOption('--out <folder>', 'the model folder to write')
    .action(importModel);
}

async function importModel(weights: string, { model: directory, out }: ImportOptions): Promise<void> {
  const [{ openModelFolder, saveModelFolder }, { readPyTorch }] = await Promise.all([
    import('../run/model-folder.js'),
    import('../pytorch/folder.js'),
  ]);
  const opened = await openModelFolder(directory);
  await readPyTorch(weights, opened.model);
  await saveModelFolder(out, opened);
  process.stdout.write(`${out}: the model of ${directory} with the weights of ${weights}\n`);
}

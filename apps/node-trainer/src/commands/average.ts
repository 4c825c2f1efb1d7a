import { Command } from 'commander';
import { InputError } from '../errors.js';
import { wholeNumber } from './arguments.js';

interface AverageOptions {
  readonly last: number;
  readonly out: string;
}

export function averageCommand(): Command {
  return new Command('average')
    .description('average the weights of several models, or of the newest checkpoints of one run')
    .argument('<folders...>', 'model folders of one architecture; or one run')
    .option('--last <n>', 'of one run: how many checkpoints', wholeNumber(2), 3)
    .requiredOption('--out <folder>', 'the model folder to write')
    .action(average);
}

async function average(folders: string[], { last, out }: AverageOptions): Promise<void> {
  const [{ averageCheckpoints, averageModels }, { saveModelFolder }] = await Promise.all([
    import('../run/average-weights.js'),
    import('../run/model-folder.js'),
  ]);
  const { opened, weights, names } =
    folders.length === 1 ? await averageCheckpoints(folders[0]!, last) : await averageModels(folders);
  if (names.length < 2)
    throw new InputError(`there must be two or more to average; got ${names.join(', ')}`, { file: folders[0] });
  await saveModelFolder(out, opened, { weights });
  process.stdout.write(`${out}: the mean of ${names.join(', ')}\n`);
}

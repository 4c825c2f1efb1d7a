import { checkpointNames, readCheckpoint, uniqueState } from '@seqloom/seq2seq';
import { folder } from '@seqloom/seq2seq/node';
import { InputError } from '../errors.js';
import { type OpenedModel, openModelFolder } from './model-folder.js';

type Weights = ReturnType<typeof uniqueState>;

export interface Averaged {
  /** The model whose architecture and text settings the mean keeps. */
  readonly opened: OpenedModel;
  readonly weights: Weights;
  /** What was averaged. */
  readonly names: readonly string[];
}

/** The mean of the newest checkpoints of a run. */
export async function averageCheckpoints(directory: string, count: number): Promise<Averaged> {
  const opened = await openModelFolder(directory);
  const store = folder(directory);
  const names = (await checkpointNames(store)).slice(-count);
  const all = [];
  for (const name of names) all.push((await readCheckpoint(store, name)).weights);
  return { opened, weights: mean(all, names), names };
}

/** The mean of models of one architecture. */
export async function averageModels(directories: readonly string[]): Promise<Averaged> {
  const opened = [];
  for (const directory of directories) opened.push(await openModelFolder(directory));
  const all = opened.map(({ model }) => uniqueState(model));
  return { opened: opened[0]!, weights: mean(all, directories), names: directories };
}

/** @throws InputError naming the first tensor that is missing or of another shape. */
function mean(all: readonly Weights[], names: readonly string[]): Weights {
  const [first = new Map() as Weights] = all;
  return new Map(
    [...first].map(([name, { shape, data }]) => {
      const sum = Float64Array.from(data);
      all.forEach((weights, i) => {
        const entry = weights.get(name);
        if (entry?.shape.join() !== shape.join()) {
          const got = entry === undefined ? 'none' : `[${entry.shape.join(', ')}]`;
          throw new InputError(`"${name}" must be of shape [${shape.join(', ')}] as in ${names[0]}; got ${got}`, {
            file: names[i],
          });
        }
        if (i > 0) for (let k = 0; k < sum.length; k++) sum[k]! += entry.data[k]!;
      });
      return [name, { shape, data: Float32Array.from(sum, (value) => value / all.length) }];
    }),
  );
}

// What goes to PyTorch and what comes back: model.py and model.safetensors.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { loadUniqueState, type Seq2Seq, uniqueState } from '@seqloom/seq2seq';
import { readSafetensors, writeSafetensors } from '@seqloom/tensor-ops';
import { InputError } from '../errors.js';
import { writeFileAtomic } from '../run/write-file.js';
import { generateModule } from './generate-module.js';

const WEIGHTS = 'model.safetensors';

/**
 * Writes the module and the weights; a tied weight once, under its first name.
 *
 * @throws InputError naming what of the configuration PyTorch's side cannot say
 */
export async function writePyTorch(directory: string, model: Seq2Seq): Promise<void> {
  const module = generateModule(model.config);
  await writeFileAtomic(path.join(directory, WEIGHTS), writeSafetensors(uniqueState(model)));
  await writeFileAtomic(path.join(directory, 'model.py'), module);
}

/**
 * Takes the weights of a safetensors file, or of a folder's model.safetensors.
 *
 * @throws InputError naming the file and what is missing, unexpected or misshapen; the model is then as it was
 */
export async function readPyTorch(place: string, model: Seq2Seq): Promise<void> {
  const isFolder = (await stat(place).catch(() => null))?.isDirectory() ?? false;
  const file = isFolder ? path.join(place, WEIGHTS) : place;
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const rule = cause.code === 'ENOENT' ? 'there is no such file or folder' : `it cannot be read (${cause.code})`;
    throw new InputError(rule, { file }, { cause });
  });
  try {
    loadUniqueState(model, readSafetensors(bytes));
  } catch (error) {
    throw new InputError(
      (error as Error).message.replace(/^(loadStateDict|readSafetensors): /, ''),
      { file },
      { cause: error },
    );
  }
}

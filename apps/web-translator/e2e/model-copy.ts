import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DEMO_MODEL } from '../scripts/demo-model.js';

/** What of a model folder the page reads. */
export const FILES = ['config.json', 'model.safetensors', 'tokenizer.source.json', 'tokenizer.target.json'];

/** A change to a copy of the demo's model, which lies at `at`. */
export type Change = (at: string) => Promise<void>;

/** A copy of the demo's model in `folder`, changed; where it lies. */
export async function copyModel(folder: string, name: string, change: Change = async () => {}): Promise<string> {
  const at = path.join(folder, name);
  await mkdir(at, { recursive: true });
  for (const file of FILES) await cp(path.join(DEMO_MODEL, file), path.join(at, file));
  await change(at);
  return at;
}

/** Changes its configuration. */
export const edited =
  (change: (config: { model: object }) => void): Change =>
  async (at) => {
    const file = path.join(at, 'config.json');
    const config = JSON.parse(await readFile(file, 'utf8'));
    change(config);
    await writeFile(file, JSON.stringify(config));
  };

/** Changes the bytes of its weights. */
export const withWeights =
  (change: (bytes: Uint8Array) => Uint8Array): Change =>
  async (at) => {
    const file = path.join(at, 'model.safetensors');
    await writeFile(file, change(await readFile(file)));
  };

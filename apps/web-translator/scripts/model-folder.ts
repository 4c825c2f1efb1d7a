import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** What of a model folder the page reads. */
const MODEL_FILES = ['config.json', 'model.safetensors', 'tokenizer.source.json', 'tokenizer.target.json'];

/** Puts a trained model beside the page as `model/`. @throws Error with one sentence when a file of it is missing */
export function modelFolder(folder: string): Plugin {
  const files = MODEL_FILES.map((name) => ({ name, source: readModelFile(folder, name) }));
  return {
    name: 'model-folder',
    config: () => ({ define: { 'import.meta.env.BUNDLED_MODEL': 'true' } }),
    generateBundle() {
      for (const { name, source } of files) this.emitFile({ type: 'asset', fileName: `model/${name}`, source });
    },
  };
}

function readModelFile(folder: string, name: string): Buffer {
  try {
    return readFileSync(path.join(folder, name));
  } catch {
    throw new Error(`${folder} holds no trained model (${name} is missing); pnpm demo trains one into runs/demo`);
  }
}

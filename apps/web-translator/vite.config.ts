import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const MODEL_FILES = ['config.json', 'model.safetensors', 'tokenizer.source.json', 'tokenizer.target.json'];

/** Puts a trained model beside the page as `model/`: the demo's, or the folder that SEQLOOM_MODEL names. */
function model(): Plugin {
  const folder = process.env.SEQLOOM_MODEL ?? fileURLToPath(new URL('../../runs/demo', import.meta.url));
  const read = (file: string) => {
    try {
      return readFileSync(path.join(folder, file));
    } catch {
      throw new Error(`web-translator: ${folder} holds no trained model (${file} is missing); pnpm demo trains one`);
    }
  };
  return {
    name: 'model-folder',
    generateBundle() {
      for (const file of MODEL_FILES) this.emitFile({ type: 'asset', fileName: `model/${file}`, source: read(file) });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const file = MODEL_FILES.find((name) => request.url?.endsWith(`/model/${name}`));
        if (file) response.end(read(file));
        else next();
      });
    },
  };
}

// Relative addresses, so that the built page works under any path; packages are taken from their sources.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [svelte(), model()],
  resolve: { conditions: ['@seqloom/source', 'module', 'browser', 'development|production'] },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
});

import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { modelFolder } from './model-folder.js';

export const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

export interface PageOptions {
  /** A trained model to put beside the page; without one the page asks for a model. */
  model?: string;
  /** Where the page goes; what lies there stays, unless `empty`. */
  outDir: string;
  empty?: boolean;
}

/** Builds the page as static files. @throws Error with one sentence when the folder holds no model */
export async function buildPage({ model, outDir, empty = false }: PageOptions): Promise<void> {
  const plugins = model === undefined ? [] : [modelFolder(model)];
  await build({ configFile, mode: 'production', logLevel: 'error', plugins, build: { outDir, emptyOutDir: empty } });
}

import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { offline } from './scripts/offline.js';

// Relative addresses, so that the built page works under any path; packages are taken from their sources. Built like this the
// page has no model of its own and asks for one; scripts/build-page.ts puts one beside it.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  define: { 'import.meta.env.BUNDLED_MODEL': 'false' },
  plugins: [svelte(), offline()],
  resolve: { conditions: ['@seqloom/source', 'module', 'browser', 'development|production'] },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
});

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Relative addresses, so that the built page works under any path; packages are taken from their sources.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  resolve: { conditions: ['@seqloom/source', 'module', 'browser', 'development|production'] },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0 },
});

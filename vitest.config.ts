import { defineConfig } from 'vitest/config';

// Tests run from TypeScript source: the "@seqloom/source" condition of every package's exports. It has to
// stand in both lists, and projects have to extend the root, or the condition is dropped in silence.
const conditions = ['@seqloom/source', 'module', 'node', 'development|production'];

const project = (name: string, folder: string) => ({
  extends: true as const,
  test: { name, root: folder, include: ['**/*.test.ts'], exclude: ['**/node_modules/**', '**/dist/**'] },
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 30_000,
    projects: [
      project('tensor-ops', 'packages/tensor-ops'),
      project('attention', 'packages/attention'),
      project('rnn', 'packages/rnn'),
      project('seq2seq', 'packages/seq2seq'),
      project('data-tokenizer', 'packages/data-tokenizer'),
      project('node-trainer', 'apps/node-trainer'),
      project('web-translator', 'apps/web-translator'),
      project('checks', 'internal/checks'),
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { hasRelaxedSimd } from './packages/tensor-ops/src/wasm/relaxed-simd.js';

// Tests run from TypeScript source: the "@seqloom/source" condition of every package's exports. It has to
// stand in both lists, and projects have to extend the root, or the condition is dropped in silence.
const conditions = ['@seqloom/source', 'module', 'node', 'development|production'];

const project = (name: string, folder: string, include = '**/*.test.ts', execArgv: string[] = []) => ({
  extends: true as const,
  test: { name, root: folder, execArgv, include: [include], exclude: ['**/node_modules/**', '**/dist/**'] },
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 30_000,
    projects: [
      project('tensor-ops', 'packages/tensor-ops'),
      // the kernels' other variant, where this Node has it behind a flag only
      ...(hasRelaxedSimd()
        ? []
        : [
            project('tensor-ops-relaxed', 'packages/tensor-ops', 'src/{ops,tfjs-kernels,wasm}/**/*.test.ts', [
              '--experimental-wasm-relaxed-simd',
            ]),
          ]),
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

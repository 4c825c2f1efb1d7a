import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { hasRelaxedSimd } from './packages/tensor-ops/src/wasm/relaxed-simd.js';

// Tests run from TypeScript source: the "@seqloom/source" condition of every package's exports. It has to
// stand in both lists, and projects have to extend the root, or the condition is dropped in silence.
const conditions = ['@seqloom/source', 'module', 'node', 'development|production'];

interface ProjectOptions {
  include?: string;
  execArgv?: string[];
  /** Whether each file loads all its modules anew; packages need not, which spares a quarter of their time. */
  isolate?: boolean;
  /** What has to run alone, after everything else: Chromium keeps both cores busy, and some of its tests hold it to milliseconds. */
  alone?: boolean;
}

const project = (name: string, folder: string, options: ProjectOptions = {}) => {
  const { include = '**/*.test.ts', execArgv = [], isolate = false, alone = false } = options;
  return {
    extends: true as const,
    test: {
      name,
      root: folder,
      include: [include],
      exclude: ['**/node_modules/**', '**/dist/**'],
      execArgv,
      isolate,
      maxWorkers: alone ? 1 : availableParallelism(),
      sequence: { groupOrder: alone ? 1 : 0 },
    },
  };
};

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
            project('tensor-ops-relaxed', 'packages/tensor-ops', {
              include: 'src/{ops,tfjs-kernels,wasm}/**/*.test.ts',
              execArgv: ['--experimental-wasm-relaxed-simd'],
            }),
          ]),
      project('attention', 'packages/attention'),
      project('rnn', 'packages/rnn'),
      project('seq2seq', 'packages/seq2seq'),
      project('data-tokenizer', 'packages/data-tokenizer'),
      project('node-trainer', 'apps/node-trainer', { isolate: true }),
      project('web-translator', 'apps/web-translator', { isolate: true, alone: true }),
      project('checks', 'internal/checks', { isolate: true }),
    ],
  },
});

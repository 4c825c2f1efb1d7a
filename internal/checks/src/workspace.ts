// Where things lie in the workspace, for the checks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The published libraries. */
export const PACKAGES = ['tensor-ops', 'attention', 'rnn', 'seq2seq', 'data-tokenizer'] as const;

/** Every TypeScript source of a folder but tests and generated files, with its text. */
export function sources(folder: string): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        /\.(ts|svelte)$/.test(path) && !/\.(test|generated)\.ts$|(^|\/)(dist|node_modules|testing)\//.test(path),
    )
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(ROOT, folder, path), 'utf8') }));
}

/** The module specifiers a source imports, statically or dynamically. */
export function imports(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3]) as string);
}

/** A package's manifest. */
export function manifest(folder: string): Record<string, Record<string, string> | undefined> {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

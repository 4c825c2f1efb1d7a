// The ```ts blocks of the READMEs and the @example blocks of doc comments, as programs to run.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sources } from './workspace.js';

export interface Example {
  /** The file, and which of its examples. */
  name: string;
  code: string;
}

/** The ```ts blocks of a Markdown file; one that cannot run alone is opened by ```typescript instead. */
export function markdownExamples(path: string): Example[] {
  if (!existsSync(join(ROOT, path))) return [];
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match, i) => ({
    name: `${path} #${i + 1}`,
    code: match[1]!,
  }));
}

/** The @example blocks of a package's doc comments. They leave out the imports of their own package's names and of tfjs as `tf`. */
export function documentedExamples(folder: string, home: string, exported: string[]): Example[] {
  return sources(folder).flatMap(({ path, text }) =>
    [...text.matchAll(/@example\s*\n([\s\S]*?)(?=\n\s*\*\s*@|\s*\*\/)/g)].map((match, i) => {
      const code = match[1]!.replace(/^\s*\* ?/gm, '').replace(/^```\w*$/gm, '');
      return { name: `${path} #${i + 1}`, code: imported(code, home, exported) };
    }),
  );
}

/** What an example says it prints: its `// → …` comments, in order. */
export function promised(code: string): string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]!.trim());
}

function imported(code: string, home: string, exported: string[]): string {
  const used = exported.filter(
    (name) => new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`import[^;]*\\b${name}\\b`).test(code),
  );
  const lines = [
    /\btf\./.test(code) && `import * as tf from '@tensorflow/tfjs-core';`,
    used.length > 0 && `import { ${used.join(', ')} } from '${home}';`,
  ];
  return [...lines.filter(Boolean), code].join('\n');
}

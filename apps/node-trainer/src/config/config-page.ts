import { referencePage } from './reference.js';
import { runConfigSchema } from './run-config.js';

const introduction = `# The config file

\`seqloom train config.yaml\` reads one YAML (or JSON) file. This page is made from its schema (\`pnpm --filter seqloom docs\`).

- Every key has a default; an unknown key is refused, with the nearest known one.
- \`--set training.epochs=3\` sets a key from the command line; the value is read as YAML.
- Paths in the file are seen from the file's own folder; paths on the command line from the working folder.
- What a run used, defaults and all, is kept as \`recipe.yaml\` in its folder: \`seqloom train runs/NAME/recipe.yaml\` repeats it.
- [\`apps/node-trainer/recipes\`](../apps/node-trainer/recipes) has files that run.`;

/** docs/config.md. */
export function configPage(): string {
  return referencePage(runConfigSchema, introduction);
}

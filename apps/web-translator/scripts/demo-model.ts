import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

/** Where `pnpm demo` leaves its model. */
export const DEMO_MODEL = at('runs/demo');

/** Trains the demo model where there is none yet: about a minute. */
export function ensureDemoModel(stdio: 'inherit' | 'ignore'): void {
  if (existsSync(path.join(DEMO_MODEL, 'model.safetensors'))) return;
  const program = [at('scripts/from-source.mjs'), 'apps/node-trainer/src/demo.ts'];
  execFileSync(process.execPath, program, { stdio: ['ignore', stdio, 'inherit'] });
}

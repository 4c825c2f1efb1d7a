import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

/** A new folder whose name begins so; gone when the test file has run. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), name));
  made.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

import path from 'node:path';
import { writeFileAtomic } from '../run/write-file.js';
import { reportPage } from './page.js';
import { readRun } from './read-run.js';

/** Writes the report of one run into its folder, or of several compared to a file. Returns the file. */
export async function writeReport(folders: readonly string[], out?: string): Promise<string> {
  const runs = [];
  for (const folder of folders) runs.push(await readRun(folder));
  const file = out ?? (folders.length === 1 ? path.join(folders[0]!, 'report.html') : 'report.html');
  await writeFileAtomic(file, reportPage(runs));
  return file;
}

import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those it lies in, where they are not there. One after the other, since Node's own way of making them all at
 * once never returns where the system says of a folder's making that nothing is there, as Linux does within /proc.
 *
 * @throws Error as of `mkdirSync`, with the path of the folder that could not be made and the system's own reason
 */
export function makeFolder(path: string): void {
  const place = resolve(path);
  if (isFolder(place)) return;
  if (dirname(place) !== place) makeFolder(dirname(place));
  try {
    mkdirSync(place);
  } catch (error) {
    if (!isFolder(place)) throw error; // another program may have made it meanwhile
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

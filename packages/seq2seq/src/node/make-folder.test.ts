import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folder } from './folder.js';
import { makeFolder } from './make-folder.js';

const root = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a folder is made with those it lies in; one that is there stays', () => {
  const path = join(root, 'a/b/c');
  makeFolder(path);
  writeFileSync(join(path, 'file'), '');
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
  expect(existsSync(join(path, 'file'))).toBe(true);
});

test('a file in the way is an error that names it', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST', path: file }));
  expect(() => makeFolder(join(file, 'a'))).toThrow(/ENOTDIR|EEXIST/);
});

test.skipIf(!existsSync('/proc/self'))(
  'where the system makes no folders, it is an error and no endless wait',
  async () => {
    expect(() => makeFolder('/proc/x/y')).toThrow(expect.objectContaining({ code: 'ENOENT', path: '/proc/x' }));
    await expect(folder('/proc/x').write('a.json', new Uint8Array(1))).rejects.toThrow(
      'folder: cannot write /proc/x/a.json (no folder can be made there, ENOENT); what was there before is untouched',
    );
  },
);

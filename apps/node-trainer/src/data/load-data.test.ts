import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runConfigSchema } from '../config/run-config.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { loadData } from './load-data.js';

const folder = temporaryFolder('data-');

function write(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

const load = (data: object) => loadData({ data: runConfigSchema.parse({ data }).data, seed: 1 });
const numbered = Array.from({ length: 100 }, (_, i) => `en ${i >> 1}\tzh ${i}\tignored`);

test('the direction says which column is the source', async () => {
  const train = write('a.tsv', ['Hi.\t你好。', 'Bye.\t再见。']);
  const pairs = (await load({ train, columns: ['en', 'zh'], direction: 'zh-en', valid: 0 })).train;
  expect(pairs).toEqual([
    { source: '你好。', target: 'Hi.' },
    { source: '再见。', target: 'Bye.' },
  ]);
});

test('the header row names the columns, is looked for, or is a pair like any other', async () => {
  const train = write('header.tsv', ['id\tzh\ten', '1\t你好。\tHi.', '2\t再见。\tBye.']);
  const hi = { source: '你好。', target: 'Hi.' };
  expect((await load({ train, columns: ['zh', 'en'], header: true, valid: 0 })).train[0]).toEqual(hi);
  expect((await load({ train, columns: ['zh', 'en'], valid: 0 })).train[0]).toEqual(hi);
  expect((await load({ train, columns: [2, 3], header: false, valid: 0 })).train[0]).toEqual({
    source: 'zh',
    target: 'en',
  });
  const noun = write('noun.csv', ['Haus,house', 'Hund,dog']);
  expect((await load({ train: noun, columns: [1, 2], header: true, valid: 0 })).train).toHaveLength(1);
  await expect(load({ train, columns: ['zh', 'fr'], header: true, valid: 0 })).rejects.toThrow(
    'there is no column "fr"',
  );
});

test('held-out parts share no source with training, and the same seed gives the same parts', async () => {
  const train = write('b.tsv', numbered);
  const first = await load({ train, valid: 10, test: 0.2 });
  expect(first.valid.length + first.test.length + first.train.length).toBe(100);
  expect(first.test).toHaveLength(20);
  const known = new Set(first.train.map(({ source }) => source));
  expect([...first.valid, ...first.test].filter(({ source }) => known.has(source))).toEqual([]);
  expect(await load({ train, valid: 10, test: 0.2 })).toEqual(first);
});

test('filters touch training alone, and what they drop is told', async () => {
  const train = write('c.tsv', ['a\tb', 'a\tb', 'long long long\tb', '\tb']);
  const valid = write('c-valid.tsv', ['long long long\tb', 'a\tb']);
  const data = await load({ train, valid, maxLength: 5, dropDuplicates: true });
  expect(data.train).toHaveLength(1);
  expect(data.valid).toHaveLength(2);
  expect(data.notes[0]).toMatch(/4 pairs read, 1 kept; .*\(line 2\); .*long.*\(line 3\); .*blank.*\(line 4\)/);
});

test('a folder is searched for its parts, tables or parallel files', async () => {
  write('train.de', ['Hund', 'Katze']);
  write('train.en', ['dog', 'cat']);
  write('dev.de', ['Maus']);
  write('dev.en', ['mouse']);
  const data = await load({ folder, direction: 'de-en' });
  expect(data.train[1]).toEqual({ source: 'Katze', target: 'cat' });
  expect(data.valid).toEqual([{ source: 'Maus', target: 'mouse' }]);
  expect(data.test).toEqual([]);
  await expect(load({ folder, direction: 'fr-en' })).rejects.toThrow('nor train.fr and train.en');
});

test('unequal files: both names, both counts, the first line without a partner', async () => {
  const source = write('u.de', ['eins', 'zwei', 'drei']);
  const target = write('u.en', ['one', 'two']);
  const error = await load({ train: { source, target } }).catch(String);
  for (const part of [source, target, '3', '2', 'line 3']) expect(error).toContain(part);
});

test('a file without pairs says why', async () => {
  await expect(load({ train: write('blank.tsv', ['', ' \t ']) })).rejects.toThrow('no pairs are left');
  await expect(load({ train: write('e.tsv', ['a\tb']), columns: ['x', 'y'], direction: 'x-z' })).rejects.toThrow(
    'target must be one of the columns',
  );
});

test('stress can be removed from every part of a dictionary; files are found by their names', async () => {
  const dictionary = temporaryFolder('dictionary-');
  const rows = { train: 'read R EH1 D\nread(2) R IY1 D', valid: 'record R EH1 K ER0 D # noun', test: 'tomato T AH0' };
  for (const [name, text] of Object.entries(rows)) writeFileSync(path.join(dictionary, `${name}.dict`), `${text}\n`);
  const targets = async (stress: string) => {
    const { train, valid, test } = await load({ folder: dictionary, stress });
    return [...train, ...valid, ...test].map(({ target }) => target);
  };
  expect(await targets('keep')).toEqual(['R EH1 D', 'R IY1 D', 'R EH1 K ER0 D', 'T AH0']);
  expect(await targets('remove')).toEqual(['R EH D', 'R IY D', 'R EH K ER D', 'T AH']);
});

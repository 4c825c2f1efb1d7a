import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CorpusOptions } from '../corpus/corpus.js';
import { describeReport } from '../corpus/report.js';
import { Normalizer } from '../normalize/normalizer.js';
import { collect } from '../testing/collect.js';
import { openCorpus, openLines } from './files.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'corpus 语料-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('a file is read by path or URL, plain or packed, as often as wanted', async () => {
  const path = file('a b.tsv.gz', gzipSync('Hi.\t你好\n'));
  const corpus = openCorpus(path, { columns: ['en', 'zh'] });
  for (const side of ['en', 'en', 'source'] as const) expect(await collect(corpus.side(side))).toEqual(['Hi.']);
  expect(await collect(openCorpus(pathToFileURL(path)).side('target'))).toEqual(['你好']);
  expect(await collect(openLines(path))).toEqual(['Hi.\t你好']);
});

test('two parallel files, one of them packed', async () => {
  const input = { source: file('x.de', 'eins\nzwei\n'), target: file('x.en.gz', gzipSync('one\ntwo')) };
  expect(await collect(openCorpus(input), ({ source, target }) => source + target)).toEqual(['einsone', 'zweitwo']);
  const unequal = { ...input, source: file('y.de', 'eins') };
  await expect(collect(openCorpus(unequal))).rejects.toThrow(
    `${input.target}, line 2: the first line without a partner: ${unequal.source} has 1 lines, ${input.target} has 2`,
  );
});

test('reading tells how many bytes of the files were read', async () => {
  const [source, target] = [file('n.de', 'eins\nzwei\n'), file('n.en.gz', gzipSync('one\ntwo'))];
  const size = statSync(source).size + statSync(target).size;
  let read = 0;
  const onRead = (bytes: number) => {
    read += bytes;
  };
  await collect(openCorpus({ source, target }, { onRead }));
  expect(read).toBe(size);
  await collect(openLines(source, { onRead }));
  expect(read).toBe(size + 10);
});

test('no file, a folder: one sentence', async () => {
  await expect(collect(openCorpus(join(folder, 'none.tsv')))).rejects.toThrow(
    `${join(folder, 'none.tsv')}: there is no such file`,
  );
  await expect(collect(openLines(folder))).rejects.toThrow(`${folder}: this is a folder, not a file`);
});

const odd = new URL('../../../../../shared/data/odd/', import.meta.url);

describe.skipIf(!existsSync(odd))('files as people really have them', () => {
  const open = (name: string, options: CorpusOptions<never> = {}) => openCorpus(new URL(name, odd), options);
  const path = (name: string) => fileURLToPath(new URL(name, odd));
  const fails = (name: string, options: CorpusOptions<never> = {}) => expect(collect(open(name, options))).rejects;

  test('EUC-JP: the encoding is named, with the command that converts it', async () => {
    await fails('edict_eucjp.txt').toThrow(
      `${path('edict_eucjp.txt')}, line 1, byte 1: invalid UTF-8 (0xA1); it looks like EUC-JP; convert it first: iconv -f EUC-JP -t UTF-8`,
    );
  });

  test('UTF-8 encoded twice: the lines are named, with what repairs them', async () => {
    const corpus = open('fra_mojibake.tsv');
    const pairs = await collect(corpus);
    expect(corpus.report().warnings.mojibake).toMatchObject({ firstLines: [2, 3, 4, 5, 7] });
    expect(describeReport(corpus.report())[1]).toMatch(
      /^207 look like UTF-8 that was read as Windows-1252 and encoded again .*line 2, 3, 4, 5, 7, …/,
    );
    expect(new Normalizer(['mojibake']).apply(pairs[3]?.target ?? '')).toBe('Ça alors\u202f!');
  });

  test('a word list under the name of a corpus', async () => {
    await fails('named_fra_but_bengali.txt').toThrow(
      /line 1: the row has 1 column \(tab-separated\), so no column 2 .*; it is one run of Bengali text: is this a file of pairs\?$/,
    );
  });

  test('a header row with four columns', async () => {
    await fails('joeynmt_toy_dev.tsv').toThrow(
      /line 1: the row looks like a header \(src, src_prompt, trg, trg_prompt\); name the two columns to use, such as columns: \["src","trg"\], or say header: false/,
    );
    const corpus = openCorpus(new URL('joeynmt_toy_dev.tsv', odd), { columns: ['src', 'trg'] });
    const [first] = await collect(corpus);
    expect(first).toMatchObject({ src: 'Ich freue mich , dass ich da bin .', trg: 'I’m happy to be here .', line: 2 });
  });

  test('four columns without a header: the two that are named', async () => {
    const corpus = open('emoji_en_zh_ar.tsv', { columns: [2, 3] });
    const pairs = await collect(corpus);
    expect(pairs.length).toBe(corpus.report().read);
    expect(pairs[1]).toMatchObject({ source: 'light skin tone', target: '较浅肤色' });
  });

  test('byte order marks, CRLF and no final line end leave no trace in lines', async () => {
    for (const name of ['yue', 'tha', 'eng', 'cmn']) {
      const lines = await collect(openLines(new URL(`passages/${name}.txt`, odd)));
      expect(lines[0]).toMatch(/^Passage: O?0?1$/);
      expect(lines.join('')).not.toMatch(/[\r\uFEFF]/);
    }
  });
});

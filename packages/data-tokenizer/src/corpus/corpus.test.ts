import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collect } from '../testing/collect.js';
import { WordTokenizer } from '../tokenizers/word-tokenizer.js';
import { type CorpusOptions, openCorpus } from './corpus.js';

const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(text: string, options: CorpusOptions<never> = {}) {
  const corpus = openCorpus(utf8(text), { name: 'x', ...options });
  const pairs = await collect(corpus, ({ source, target }) => `${source}|${target}`);
  return { pairs, report: corpus.report() };
}

const error = (text: string, options: CorpusOptions<never> = {}) => expect(read(text, options)).rejects;

describe('columns', () => {
  test('the first two by default, others ignored, quotes are text', async () => {
    expect((await read('He said "hi"\t你好\tCC-BY\na\tb\n')).pairs).toEqual(['He said "hi"|你好', 'a|b']);
  });

  test('by number, from 1', async () => {
    expect((await read('1\ta\tx\tb\n', { columns: [4, 2] })).pairs).toEqual(['b|a']);
    await error('a\tb', { columns: [1, 3] }).toThrow(
      'x, line 1: the row has 2 columns (tab-separated), so no column 3 (columns 1 and 3 are wanted)',
    );
    expect(() => openCorpus(utf8(''), { columns: [0, 1] })).toThrow('openCorpus: columns count from 1; got 0');
  });

  test('names label the columns of a file without a header', async () => {
    const corpus = openCorpus(utf8('Hi.\t你好\n'), { columns: ['en', 'zh'], source: 'zh', target: 'en' });
    expect(await collect(corpus)).toEqual([{ source: '你好', target: 'Hi.', line: 1, en: 'Hi.', zh: '你好' }]);
    expect(await collect(corpus.side('en'))).toEqual(['Hi.']);
    expect(await collect(corpus.side('source'))).toEqual(['你好']);
  });

  test('names are looked up in a header row', async () => {
    const text = 'id\tzh\tnote\ten\n7\t你好\t\tHi.\n';
    const corpus = openCorpus(utf8(text), { columns: ['en', 'zh'] });
    expect(await collect(corpus)).toEqual([{ source: 'Hi.', target: '你好', line: 2, en: 'Hi.', zh: '你好' }]);
    expect(corpus.report()).toMatchObject({ read: 1, kept: 1, header: ['id', 'zh', 'note', 'en'] });
  });

  test('numbers skip a row that looks like a header, unless told otherwise', async () => {
    const text = 'src\ttrg\na\tb\n';
    expect((await read(text, { columns: [1, 2] })).pairs).toEqual(['a|b']);
    expect((await read(text, { columns: [1, 2], header: false })).pairs).toEqual(['src|trg', 'a|b']);
    expect((await read('x1\tx2\na\tb\n', { columns: [1, 2], header: true })).pairs).toEqual(['a|b']);
  });

  test('a first pair of short words is no header', async () => {
    for (const first of ['Go.\tVa !', 'no\tno', 'Hello\tHallo', 'pencil\tP EH1 N']) {
      expect((await read(`${first}\n`)).report).toMatchObject({ kept: 1, header: undefined });
    }
  });

  test('a column that is not there is an error with the names that are', async () => {
    const corpus = openCorpus(utf8('src\ttrg\na\tb\n'), { columns: ['src', 'tgt'], name: 'x.tsv' });
    await expect(collect(corpus)).rejects.toThrow('x.tsv, line 1: there is no column "tgt"; the header has src, trg');
    await expect(collect(openCorpus(utf8('a\tb\n')).side('zh' as 'source'))).rejects.toThrow(
      /the name must be one of source, target; got "zh"/,
    );
  });
});

test('a name that the header holds twice is refused, the column taken by number', async () => {
  const named = ['en', 'zh'] as unknown as number[]; // no pair is read, so none has these names
  await error('en\ten\tzh\nHi\tHello\t你好\n', { columns: named }).toThrow(
    'x, line 1: the header names two columns "en" (en, en, zh); say which by its number',
  );
  expect((await read('en\ten\tzh\nHi\tHello\t你好\n', { columns: [2, 3], header: true })).pairs).toEqual([
    'Hello|你好',
  ]);
});

describe('formats', () => {
  test('CSV: quoted cells hold commas, quotes and line ends', async () => {
    const text = 'en,zh\n"Hi, ""Tom""","你好\n汤姆"\nplain,文字\n';
    expect((await read(text, { format: 'csv', columns: [1, 2] })).pairs).toEqual([
      'Hi, "Tom"|你好\n汤姆',
      'plain|文字',
    ]);
    await error('a,"b\n\nc', { format: 'csv' }).toThrow('x, line 1: a quote opens here and is never closed');
    await error('a,b\n"a"x,b', { format: 'csv' }).toThrow('x, line 2: a comma must follow the closing quote of a cell');
  });

  test('CSV: a stray quote costs some rows, not the rest of the file', async () => {
    const text = `a,b\n"c,d\n${'e,f\n'.repeat(20_000)}g,h\n"i"x,j\nk,l`;
    await error(text, { format: 'csv' }).toThrow(
      'x, line 2: the quote that opens on line 2 is not closed within 65536 characters',
    );
    const { pairs, report } = await read(text, { format: 'csv', onInvalid: 'skip' });
    expect([pairs[0], pairs.at(-2), pairs.at(-1)]).toEqual(['a|b', 'g|h', 'k|l']);
    expect(report.dropped.malformed).toMatchObject({ count: 2 });
  });

  test('JSON Lines: below translation or flat, columns by key', async () => {
    const text = '{"id": 1, "translation": {"en": "Hi", "zh": "你好"}}\n{"zh": "好", "en": "Good", "x": 3}\n';
    const corpus = openCorpus(utf8(text), { name: 'x.jsonl', columns: ['zh', 'en'] });
    expect(await collect(corpus, (pair) => `${pair.zh}|${pair.en}`)).toEqual(['你好|Hi', '好|Good']);
    expect((await read('{"translation": {"en": "Hi", "zh": "你好"}}', { format: 'jsonl' })).pairs).toEqual(['Hi|你好']);
    await error('{"en": "Hi"}', { format: 'jsonl' }).toThrow(
      'x, line 1: the object needs two string values; got the keys en',
    );
    await error('\n{"en": "Hi",\n', { format: 'jsonl' }).toThrow(/^x, line 2: not a JSON object on one line/);
    const escaped = '{"en": "a\\u0000b", "zh": "c"}\n{"en": "d", "zh": "\\ud83d\\ude00"}\n{"en": "\\ud83d", "zh": "e"}';
    await error(escaped, { format: 'jsonl' }).toThrow(/^x, line 1: "en" holds a NUL \(\\u0000\), which is no text$/);
    const skipped = await read(escaped, { format: 'jsonl', onInvalid: 'skip' });
    expect([skipped.pairs, skipped.report.dropped]).toEqual([
      ['d|😀'],
      { malformed: { count: 2, firstLines: [1, 3] } },
    ]);
    expect((await read(escaped, { format: 'jsonl', onInvalid: 'replace' })).pairs).toEqual([
      'a\uFFFDb|c',
      'd|😀',
      '\uFFFD|e',
    ]);
    await error('3', { format: 'jsonl' }).toThrow('x, line 1: each line must be a JSON object');
    for (const array of ['[{"en": "a", "zh": "b"}]', '[{"en": "a", "zh": "b"},\n']) {
      await error(array, { format: 'jsonl' }).toThrow(/^x, line 1: .* array: convert it first: jq -c "\.\[\]"$/);
    }
  });

  test('the CMU dictionary: word and phonemes, without variants and comments', async () => {
    const text = ";;; comment\nread R EH1 D # past\nread(2) R IY1 D\n'bout B AW1 T\n";
    expect((await read(text, { format: 'cmudict' })).pairs).toEqual(['read|R EH1 D', 'read|R IY1 D', "'bout|B AW1 T"]);
  });

  test('the name decides, gzip or not', async () => {
    const corpus = openCorpus(gzipSync('{"a": "x", "b": "y"}'), { name: 'x.jsonl.gz' });
    expect(await collect(corpus)).toEqual([{ source: 'x', target: 'y', line: 1, a: 'x', b: 'y' }]);
  });

  test('a row that fits another format better says so', async () => {
    await error('{"en": "a"}').toThrow(/it looks like JSON Lines: say format: "jsonl"/);
    await error('a,b').toThrow(/it holds commas: if it is CSV, say format: "csv"/);
    await error('a\tb', { format: 'csv' }).toThrow(/it holds tabs: say format: "tsv"/);
  });
});

describe('two parallel files', () => {
  const open = (source: string, target: string, options: CorpusOptions<'de' | 'en'> = {}) =>
    openCorpus(
      { source: utf8(source), target: utf8(target) },
      { name: { source: 'a.de', target: 'a.en' }, ...options },
    );

  test('lines correspond, columns are named in order', async () => {
    const corpus = open('eins\nzwei', 'one\ntwo\n', { columns: ['de', 'en'] });
    expect(await collect(corpus, ({ line, de, en }) => `${line} ${de} ${en}`)).toEqual(['1 eins one', '2 zwei two']);
  });

  test('blank lines on either side keep the others aligned and are counted', async () => {
    const corpus = open('eins\n\ndrei\n \nfünf', 'one\ntwo\n\n\nfive');
    expect(await collect(corpus, ({ source, target }) => `${source} ${target}`)).toEqual(['eins one', 'fünf five']);
    expect(corpus.report()).toMatchObject({
      read: 5,
      kept: 2,
      dropped: { blank: { count: 3, firstLines: [2, 3, 4] } },
    });
  });

  test('unequal files: both names, both counts, the first line without a partner', async () => {
    await expect(collect(open('a\nb\nc\nd', 'x\ny'))).rejects.toThrow(
      'a.de, line 3: the first line without a partner: a.de has 4 lines, a.en has 2',
    );
    await expect(collect(open('', 'x'))).rejects.toThrow(
      'a.en, line 1: the first line without a partner: a.de has 0 lines, a.en has 1',
    );
  });

  test('an unreadable line drops its pair and no other', async () => {
    const source = new Uint8Array([...utf8('a\n'), 0xff, ...utf8('\nc')]);
    const corpus = openCorpus({ source, target: utf8('x\ny\nz') }, { onInvalid: 'skip' });
    expect(await collect(corpus, ({ source, target }) => source + target)).toEqual(['ax', 'cz']);
    expect(corpus.report().dropped).toEqual({ 'invalid-utf8': { count: 1, firstLines: [2] } });
  });
});

describe('filters and report', () => {
  test('every pair read is kept or dropped for one reason', async () => {
    const rows = [
      'a\tb',
      '\t',
      'x\t',
      '\u200B\ty',
      'a\tb',
      'same\tsame',
      `${'l'.repeat(30)}\tlong`,
      'aaaaaaaaa\tb',
      'one column',
      'c\td',
    ];
    const { pairs, report } = await read(rows.join('\n'), {
      onInvalid: 'skip',
      filters: { maxLength: 20, maxRatio: 5, identical: true, duplicates: true },
    });
    expect(pairs).toEqual(['a|b', 'c|d']);
    expect(report).toMatchObject({ read: 10, kept: 2 });
    expect(report.dropped).toEqual({
      blank: { count: 3, firstLines: [2, 3, 4] },
      duplicate: { count: 1, firstLines: [5] },
      identical: { count: 1, firstLines: [6] },
      'too-long': { count: 1, firstLines: [7] },
      'length-ratio': { count: 1, firstLines: [8] },
      'missing-column': { count: 1, firstLines: [9] },
    });
  });

  test('without filters only blank pairs are dropped', async () => {
    expect((await read('a\ta\na\ta\n\n')).report).toMatchObject({ read: 3, kept: 2, dropped: { blank: { count: 1 } } });
  });

  test('text that was encoded twice and mended text are warned of', async () => {
    const mojibake = await read('Run!\tCourez\u202f!\nWow\tÃ‡a alors\nHe\tGarçon Ã la carte\n');
    expect(mojibake.report.warnings).toEqual({ mojibake: { count: 1, firstLines: [2] } });
    const corpus = openCorpus(new Uint8Array([0xff, ...utf8('a\tb')]), { onInvalid: 'replace' });
    expect(await collect(corpus, ({ source }) => source)).toEqual(['\uFFFDa']);
    expect(corpus.report().warnings).toEqual({ replaced: { count: 1, firstLines: [1] } });
  });

  test('settings that make no sense are refused', async () => {
    await error('a\tb', { filters: { maxRatio: 0.5 } }).toThrow('openCorpus: maxRatio must be at least 1; got 0.5');
    await error('a\tb', { columns: [1, 2], source: 3 }).toThrow(
      'openCorpus: source must be one of the columns 1, 2; got 3',
    );
    await error('a\tb', { columns: [1, 2], target: 1 }).toThrow(
      'openCorpus: source and target must be two columns; got 1 twice',
    );
  });
});

test('a corpus can be read again; a bare stream cannot pretend to be', async () => {
  const corpus = openCorpus(new File(['a\tb\nc\td'], 'x.tsv'));
  expect(await collect(corpus.side('source'))).toEqual(['a', 'c']);
  expect(await collect(corpus.side('target'))).toEqual(['b', 'd']);
  const once = openCorpus(new Blob(['a\tb']).stream() as unknown as AsyncIterable<Uint8Array>);
  await collect(once);
  await expect(collect(once)).rejects.toThrow(
    'corpus: a stream can be read once; give a function that opens it anew, or a Blob',
  );
});

test('LF, CRLF and a byte order mark give the same vocabulary and ids', async () => {
  const rows = ['Hello, world\t你好，世界', "Don't go\t别走"];
  const variants = [rows.join('\n'), `\uFEFF${rows.join('\r\n')}\r\n`, `${rows.join('\r')}\r`];
  const results = await Promise.all(
    variants.map(async (text) => {
      const corpus = openCorpus(utf8(text));
      const tokenizer = await WordTokenizer.train(corpus.side('target'), { locale: 'zh' });
      const ids = await collect(corpus, ({ target }) => [...tokenizer.encode(target).ids]);
      return JSON.stringify([tokenizer, ids]);
    }),
  );
  expect(new Set(results).size).toBe(1);
});

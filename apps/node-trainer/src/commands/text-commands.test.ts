import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { run } from '../program.js';
import { temporaryFolder } from '../testing/temporary-folder.js';

// tokenizer, corpus and score within this process: what they print, what they write and how they end.

const folder = temporaryFolder('seqloom text 文-');
const written = { stdout: '', stderr: '' };

beforeEach(() => {
  for (const name of ['stdout', 'stderr'] as const) {
    written[name] = '';
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += chunk;
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stdout.removeAllListeners('error');
});

const at = (name: string) => path.join(folder, name);

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content);
  return at(name);
}

async function cli(...args: string[]) {
  written.stdout = '';
  written.stderr = '';
  const code = await run(args);
  return { code, ...written };
}

/** It ends with 2 and one line on standard error. */
async function refused(message: string | RegExp, ...args: string[]): Promise<void> {
  const { code, stderr, stdout } = await cli(...args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
}

const bytes = (...values: number[]) => Uint8Array.from(values);
const utf8 = (text: string) => [...new TextEncoder().encode(text)];
const rows = Array.from({ length: 40 }, (_, i) => `Good day ${i}, world!\t你好，世界 ${i}！`);

describe('what is no text, or none of what is asked for, is refused in one line', () => {
  const broken: [string, string | Uint8Array, RegExp][] = [
    ['empty.txt', '', /no (pairs are left|text to learn from)/],
    ['blank.txt', '\n\n  \n', /no (pairs are left|text to learn from)/],
    ['mark.txt', '\uFEFF', /no (pairs are left|text to learn from)/],
    ['nul.txt', 'a\tb\nc\0d\te\n', /line 2, byte 2: a NUL byte/],
    ['invalid.txt', bytes(...utf8('a\tb\n'), 0xff, 9, 0x62, 10), /line 2, byte 1: invalid UTF-8 \(0xFF\)/],
    ['picture.txt', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0), /line 1, byte 1: .*this is no text file/],
    [
      'utf16.txt',
      bytes(...[...'a\tb\nc\td\n'].flatMap((letter) => [letter.charCodeAt(0), 0])),
      /it looks like UTF-16LE/,
    ],
    [
      'long.txt',
      `${'word '.repeat(300_000)}\t${'wort '.repeat(10)}\n`,
      /line 1: the line is longer than 1048576 bytes/,
    ],
    ['cut.txt', bytes(...utf8('a\tb\nc\t'), 0xe4, 0xbd), /line 2, byte 3: the file ends inside a character/],
    ['surrogate.txt', bytes(...utf8('a\t'), 0xed, 0xa0, 0x80), /line 1, byte 3: a lone surrogate/],
    ['packed.gz', bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3), /the gzip data is damaged or cut short/],
  ];
  test.each(broken)('%s', async (name, content, message) => {
    const given = file(name, content);
    for (const command of [
      ['corpus', 'check'],
      ['corpus', 'stats'],
      ['tokenizer', 'train', '--out', at('never.json')],
    ])
      await refused(message, ...command, given);
  });

  test('folders, missing files and files where folders must be', async () => {
    mkdirSync(at('a folder'));
    const pairs = file('pairs.tsv', rows.join('\n'));
    for (const name of ['a folder', 'missing']) {
      const message = name === 'missing' ? /missing: there is no such file/ : /a folder: this is a folder/;
      for (const command of ['corpus check', 'tokenizer train --out x.json', 'tokenizer inspect', 'tokenizer encode'])
        await refused(message, ...command.split(' '), at(name));
    }
    await refused(
      /a file stands where a folder must be/,
      'corpus',
      'split',
      pairs,
      '--valid',
      '5',
      '--test',
      '5',
      '--out',
      pairs,
    );
    await refused(/a folder/, 'tokenizer', 'train', pairs, '--out', at('a folder'));
  });

  test('tokenizer files', async () => {
    const model = { type: 'BPE', vocab: { a: 0, b: 1, ab: 2 }, merges: [['a', 'b']] };
    const wrong: [RegExp, string][] = [
      [/the file is not JSON from line 2 on/, '{\n"model":'],
      [
        /model\.merges\[0\] joins \["a","z"\], but "z" is not/,
        JSON.stringify({ model: { ...model, merges: ['a z'] } }),
      ],
      [/model\.type must be BPE or WordLevel; got Unigram/, '{"model": {"type": "Unigram", "vocab": [["a", -1]]}}'],
      [/must be two pieces; got \["a",""\]/, JSON.stringify({ model: { ...model, merges: [['a', '']] } })],
      [/ids must be below that; got 9 for "b"/, JSON.stringify({ model: { ...model, vocab: { a: 0, b: 9 } } })],
      [/model must be an object; got nothing/, `{"__proto__": ${JSON.stringify({ model })}}`],
      [/model\.vocab gives the id 0 to both/, JSON.stringify({ model: { ...model, vocab: { a: 0, b: 0 } } })],
    ];
    for (const [message, text] of wrong) await refused(message, 'tokenizer', 'inspect', file('wrong.json', text));
  });
});

describe('the policy for what is not clean text is the user’s', () => {
  const dirty = bytes(...utf8('one\teins\ntw'), 0xff, ...utf8('o\tzwei\nthree\tdrei\n'));

  test('corpus and tokenizer: skipped or mended, and counted', async () => {
    const given = file('dirty.tsv', dirty);
    for (const [policy, kept] of [
      ['skip', 2],
      ['replace', 3],
    ] as const) {
      const { stdout } = await cli('corpus', 'check', given, '--on-invalid', policy, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ read: 3, kept });
      const out = at(`${policy}.json`);
      const trained = await cli(
        'tokenizer',
        'train',
        given,
        '--type',
        'word',
        '--out',
        out,
        '--on-invalid',
        policy,
        '--json',
      );
      expect(JSON.parse(trained.stdout)).toMatchObject({ lines: kept, defects: 1 });
      expect(trained.stderr).toMatch(policy === 'skip' ? /1 lines .*left out/ : /1 lines .*mended/);
    }
  });

  test('a line may be as long as the user says', async () => {
    const given = file('long.tsv', `${'a'.repeat(1_200_000)}\tb\nc\td\n`);
    const { stdout } = await cli('corpus', 'check', given, '--max-line-bytes', '2000000', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ read: 2, kept: 2 });
  });

  test('a first row that looks like a header can be a pair', async () => {
    const given = file('languages.tsv', 'English\tGerman\nhello\thallo\n');
    await refused(/looks like a header/, 'corpus', 'check', given);
    expect(JSON.parse((await cli('corpus', 'check', given, '--no-header', '--json')).stdout).kept).toBe(2);
  });
});

describe('tokenizer', () => {
  test.each(['bpe', 'word', 'moses', 'whitespace', 'character'])(
    '%s: LF, CRLF, CR and a byte order mark make no difference',
    async (type) => {
      const variants = [`${rows.join('\n')}\n`, rows.join('\r\n'), rows.join('\r'), `\uFEFF${rows.join('\r\n')}\r\n`];
      const made = new Set<string>();
      for (const [i, text] of variants.entries()) {
        const out = at(`${type}-${i}.json`);
        expect(
          (
            await cli(
              'tokenizer',
              'train',
              file('ends.txt', text),
              '--type',
              type,
              '--vocabulary-size',
              '300',
              '--out',
              out,
            )
          ).code,
        ).toBe(0);
        made.add(readFileSync(out, 'utf8'));
      }
      expect(made.size).toBe(1);
    },
  );

  test('inspect counts as unknown what the file calls unknown, whatever its id', async () => {
    const vocab = { the: 0, cat: 1, '[UNK]': 2 };
    const foreign = { model: { type: 'WordLevel', vocab, unk_token: '[UNK]' }, pre_tokenizer: { type: 'Whitespace' } };
    const { stdout } = await cli(
      'tokenizer',
      'inspect',
      file('foreign.json', JSON.stringify(foreign)),
      '--text',
      file('cat.txt', 'the cat cat dog\n'),
      '--json',
    );
    expect(JSON.parse(stdout).text).toMatchObject({ unknown: 1, unknownShare: 0.25, piecesPerWord: 1 });
  });
});

describe('score', () => {
  test('JSON has the score, its signature, precisions and brevity penalty', async () => {
    const same = file('same.txt', 'the cat sat on the mat\n');
    const scores = JSON.parse(
      (await cli('score', same, same, same, '--json', '--lowercase', '--word-order', '2')).stdout,
    );
    expect(Object.keys(scores)).toEqual(['bleu', 'chrf', 'ter']);
    expect(Object.keys(scores.bleu).sort()).toEqual(['bp', 'precisions', 'score', 'signature']);
    expect(scores.bleu.signature).toMatch(/^nrefs:2\|case:lc\|eff:no\|tok:13a\|smooth:exp/);
    expect(scores.chrf.signature).toMatch(/nw:2/);
  });

  test('lines that are not clean text are refused, left out of all files, or mended', async () => {
    const clean = ['the cat sat on the mat', 'a dog ran over the hill', 'birds fly to the south'];
    const hypotheses = file('clean.txt', clean.join('\n'));
    // The second line of the one and the last two of the other cannot be read.
    const broken = bytes(...utf8(`${clean[0]}\nwro`), 0xff, ...utf8(`ng\n${clean[2]}\n`));
    const ended = bytes(...utf8(`${clean[0]}\n`), 0, 10, 0xff, 10);
    await refused(/line 2, byte 4: invalid UTF-8/, 'score', file('broken.txt', broken), hypotheses);
    for (const [name, left] of [
      [broken, 1],
      [ended, 2],
    ] as const) {
      const given = file('broken.txt', name);
      const skipped = await cli('score', hypotheses, given, '--on-invalid', 'skip', '--metrics', 'bleu', '--json');
      expect(skipped.stderr).toBe(
        `warning: ${left === 1 ? '1 line is' : '2 lines are'} not clean text: left out of all files\n`,
      );
      expect(JSON.parse(skipped.stdout).bleu.score).toBeCloseTo(100, 9);
    }
    const mended = await cli('score', hypotheses, at('broken.txt'), '--on-invalid', 'replace', '--json');
    expect(mended.stderr).toMatch(/2 lines are not clean text: mended/);
    expect(JSON.parse(mended.stdout).bleu.score).toBeLessThan(100);
    const none = file('none.txt', bytes(0xff, 10, 0xff, 10, 0xff));
    await refused(/at least one line to score; got 0/, 'score', none, hypotheses, '--on-invalid', 'skip');
  });

  test('options beyond reason are refused', async () => {
    const same = file('same.txt', 'the cat sat on the mat\n');
    await refused(/--word-order .* It must be at most 100/, 'score', same, same, '--word-order', '1e9');
    await refused(/--samples .* at least 1/, 'score', same, same, '--samples', '0');
    await refused(/there is no such file/, 'score', same, at('nowhere.txt'));
    await refused(/this is a folder/, 'score', same, folder);
  });

  test('files of unequal length are refused, with the line that has no partner', async () => {
    const [three, two] = [file('three.txt', 'a\nb\nc\n'), file('two.txt', bytes(0xff, 10, 98, 10))];
    await refused(/three.txt, line 3 has no partner in .*two.txt/, 'score', three, two, '--on-invalid', 'skip');
    await refused(/only one file can be standard input/, 'score', '-', '-');
    await refused(/only one file can be standard input/, 'corpus', 'check', '-', '-');
  });

  test('Chinese scored with an English tokenizer is warned of, with a Chinese one not', async () => {
    const chinese = file('zh.txt', '我们明天去北京看朋友。\n');
    const english = await cli('score', chinese, chinese, '--metrics', 'bleu', '--tokenize', '13a', '--json');
    expect(english.stderr).toMatch(/^warning: .*use tokenize 'zh'/);
    expect((await cli('score', chinese, chinese, '--metrics', 'bleu', '--tokenize', 'zh', '--json')).stderr).toBe('');
  });
});

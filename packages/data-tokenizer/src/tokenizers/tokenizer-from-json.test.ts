import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentences } from '../testing/random-text.js';
import { BytePairTokenizer } from './byte-pair-tokenizer.js';
import { CharacterTokenizer } from './character-tokenizer.js';
import { TokenizerFileError } from './pipeline/json-node.js';
import { tokenizerFromJSON } from './tokenizer-from-json.js';
import { WordTokenizer } from './word-tokenizer.js';

const bpe = await BytePairTokenizer.train(sentences, { vocabularySize: 300, minFrequency: 1 });
const word = await WordTokenizer.train(sentences);
const character = await CharacterTokenizer.train(sentences);

// biome-ignore lint/suspicious/noExplicitAny: the tests break files in places that have no type.
type File = any;

/** The file of a tokenizer, broken somewhere. */
function broken(change: (file: File) => void, tokenizer: { toJSON(): unknown } = bpe): File {
  const file = JSON.parse(JSON.stringify(tokenizer)) as File;
  change(file);
  return file;
}

describe('a malformed file is named in one sentence', () => {
  test.each<[string, unknown]>([
    ['the file is not JSON from line 2 on (', '{\n"version":'],
    ['the file must be an object; got a list of 0', []],
    ['the file must be an object; got null', null],
    ['model must be an object; got nothing', {}],
    ['model.vocab must be an object; got nothing', broken((file) => delete file.model.vocab)],
    ['model.vocab.the must be a whole number from 0 on; got "x"', broken((file) => (file.model.vocab.the = 'x'))],
    [
      'model.vocab has 300 pieces, so ids must be below that; got 5000 for "a"',
      broken((file) => (file.model.vocab.a = 5000)),
    ],
    ['model.vocab gives the id 5 to both', broken((file) => (file.model.vocab.a = 5))],
    ['model.vocab lacks the unknown token "<none>"', broken((file) => (file.model.unk_token = '<none>'))],
    [
      'model.vocab gives "<pad>" the id 0, but added_tokens gives it 7',
      broken((file) => (file.added_tokens[0].id = 7)),
    ],
    ['model.merges must be a list; got "x"', broken((file) => (file.model.merges = 'x'))],
    ['model.merges[3] must be two pieces; got ["a"]', broken((file) => (file.model.merges[3] = ['a']))],
    ['model.merges[3] must be two pieces; got "abc"', broken((file) => (file.model.merges[3] = 'abc'))],
    ['model.merges[3] must be two pieces; got "a b c"', broken((file) => (file.model.merges[3] = 'a b c'))],
    ['model.merges[3] must be two pieces; got ["a",""]', broken((file) => (file.model.merges[3] = ['a', '']))],
    ['model.merges[3][1] must be a string; got 7', broken((file) => (file.model.merges[3] = ['a', 7]))],
    [
      'model.merges[3] joins ["qq","a"], but "qq" is not in the vocabulary',
      broken((file) => (file.model.merges[3] = ['qq', 'a'])),
    ],
    [
      'model.merges[3] joins ["q","z"], but "qz" is not in the vocabulary',
      broken((file) => (file.model.merges[3] = 'q z')),
    ],
    ['model.merges[1] joins', broken((file) => (file.model.merges[1] = file.model.merges[0]))],
    ['model.dropout must be null', broken((file) => (file.model.dropout = 0.1))],
    ['model.fuse_unk must be true or false; got 1', broken((file) => (file.model.fuse_unk = 1))],
    ['added_tokens[1].content must be a string; got 3', broken((file) => (file.added_tokens[1].content = 3))],
    ['added_tokens[1].content must not be empty', broken((file) => (file.added_tokens[1].content = ''))],
    [
      'pre_tokenizer.seqloom.segmentation must be graphemes, words, moses or whitespace; got "x"',
      broken((file) => (file.pre_tokenizer.seqloom.segmentation = 'x'), word),
    ],
    [
      'pre_tokenizer.seqloom.locale must be a language tag; got "?"',
      broken((file) => (file.pre_tokenizer.seqloom.locale = '?'), word),
    ],
    [
      'model.vocab must give <pad> the id 0',
      broken(
        (file) => {
          file.model.vocab['<pad>'] = 4;
          file.model.vocab['.'] = 0;
          file.added_tokens = [];
        },
        {
          toJSON: () => ({
            ...word.toJSON(),
            model: { ...word.toJSON().model, vocab: { '<pad>': 0, '<unk>': 1, '<bos>': 2, '<eos>': 3, '.': 4 } },
          }),
        },
      ),
    ],
  ])('%s', (message, file) => {
    expect(() => tokenizerFromJSON(file)).toThrow(TokenizerFileError);
    expect(() => tokenizerFromJSON(file)).toThrow(`tokenizer.json: ${message}`);
  });
});

describe('what is not supported is refused by name', () => {
  test.each<[string, unknown]>([
    [
      'model.type must be BPE or WordLevel; got Unigram',
      broken((file) => {
        file.model = { type: 'Unigram', vocab: [['a', -1]] };
      }),
    ],
    [
      'normalizer is the normalizer Precompiled, which is not supported',
      broken((file) => (file.normalizer = { type: 'Precompiled' })),
    ],
    [
      'normalizer.normalizers[1] is the normalizer Nmt, which is not supported',
      broken((file) => (file.normalizer = { type: 'Sequence', normalizers: [{ type: 'NFC' }, { type: 'Nmt' }] })),
    ],
    [
      'pre_tokenizer is the pre-tokenizer UnicodeScripts, which is not supported',
      broken((file) => (file.pre_tokenizer = { type: 'UnicodeScripts' })),
    ],
    [
      'pre_tokenizer.pretokenizers[0] is ByteLevel, which is supported only as the last step',
      broken((file) => file.pre_tokenizer.pretokenizers.reverse()),
    ],
    [
      'pre_tokenizer.pattern holds a regular expression that is not supported',
      broken((file) => (file.pre_tokenizer = { type: 'Split', behavior: 'Isolated', pattern: { Regex: '(?>a)' } })),
    ],
    [
      'pre_tokenizer.behavior is the unknown behavior Odd',
      broken((file) => (file.pre_tokenizer = { type: 'Split', behavior: 'Odd', pattern: { Regex: 'a' } })),
    ],
    ['decoder is the decoder CTC, which is not supported', broken((file) => (file.decoder = { type: 'CTC' }))],
    [
      'post_processor is the post-processor X, which is not supported',
      broken((file) => (file.post_processor = { type: 'X' })),
    ],
    [
      'post_processor adds "<s>", which is not in the vocabulary',
      broken((file) => (file.post_processor = { type: 'BertProcessing', cls: ['<s>', 1], sep: ['<eos>', 3] })),
    ],
  ])('%s', (message, file) => {
    expect(() => tokenizerFromJSON(file)).toThrow(`tokenizer.json: ${message}`);
  });
});

test('a file with any value replaced by any other either loads or is named in one sentence', () => {
  for (const tokenizer of [bpe, word, character]) {
    const text = JSON.stringify(tokenizer);
    const paths: (string | number)[][] = [];
    const walk = (value: unknown, path: (string | number)[]): void => {
      paths.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const key of Object.keys(value).slice(0, 12)) walk((value as Record<string, unknown>)[key], [...path, key]);
    };
    walk(JSON.parse(text), []);
    fc.assert(
      fc.property(
        fc.constantFrom(...paths.slice(1)),
        fc.oneof(fc.jsonValue(), fc.constant(undefined)),
        (path, value) => {
          const file = JSON.parse(text) as File;
          const parent = path.slice(0, -1).reduce((node, key) => node[key], file);
          parent[path.at(-1) as string] = value;
          try {
            const loaded = tokenizerFromJSON(file);
            loaded.decode(loaded.encode('the 欢迎 fox').ids);
          } catch (error) {
            if (!(error instanceof TokenizerFileError)) throw error;
            expect(error.message).toMatch(/^tokenizer\.json: /);
          }
        },
      ),
      { seed: 8, numRuns: 400 },
    );
  }
});

test.each([
  ['normalizer', (inner: object) => ({ type: 'Sequence', normalizers: [inner] }), { type: 'NFC' }],
  ['pre_tokenizer', (inner: object) => ({ type: 'Sequence', pretokenizers: [inner] }), { type: 'Whitespace' }],
  ['decoder', (inner: object) => ({ type: 'Sequence', decoders: [inner] }), { type: 'Fuse' }],
  ['post_processor', (inner: object) => ({ type: 'Sequence', processors: [inner] }), { type: 'ByteLevel' }],
])('a %s nested ten thousand deep is named, in one short sentence', (part, around, innermost) => {
  let nested: object = innermost;
  for (let level = 0; level < 10_000; level++) nested = around(nested);
  const load = () => tokenizerFromJSON({ ...JSON.parse(JSON.stringify(bpe)), [part]: nested });
  expect(load).toThrow(TokenizerFileError);
  expect(load).toThrow(new RegExp(`^tokenizer\\.json: ${part}.{1,200} is nested more than 64 levels deep$`));
});

test('keys that objects have anyway are pieces like others', async () => {
  const tokenizer = await WordTokenizer.train(['__proto__ constructor toString __proto__'], {
    segmentation: 'whitespace',
  });
  const again = tokenizerFromJSON(JSON.stringify(tokenizer));
  expect(again.decode(again.encode('__proto__ toString hasOwnProperty').ids)).toBe('__proto__ toString <unk>');
});

test('a byte order mark before the file is no part of it', () => {
  const model = { type: 'BPE', vocab: { a: 0, b: 1, ab: 2 }, merges: [['a', 'b']] };
  expect(tokenizerFromJSON(`\uFEFF${JSON.stringify({ model })}`).encode('ab').tokens).toEqual(['ab']);
});

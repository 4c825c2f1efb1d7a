import fc from 'fast-check';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { describe, expect, test } from 'vitest';
import { sentences, wellFormedText } from '../../testing/random-text.js';
import { byteCharacters } from '../bpe/byte-alphabet.js';
import { PipelineTokenizer } from './pipeline-tokenizer.js';

// Every supported part of the format, in a file of its own, against Hugging Face's Rust library.

const alphabet = [...new Set([...sentences.join(''), ...'▁ĠÜßéあ漢'])].filter((letter) => letter !== ' ');

function bpe(parts: Record<string, unknown>, model: Record<string, unknown> = {}) {
  const merges = [
    ['t', 'h'],
    ['th', 'e'],
    ['e', 'r'],
    ['▁', 'the'],
    ['o', 'w'],
    ['l', 'ow'],
    ['北', '京'],
    ['n', 'e'],
    ['ne', 'w'],
  ];
  const pieces = ['<unk>', '<s>', '</s>', ...alphabet, ...merges.map((pair) => pair.join(''))];
  return file(parts, {
    type: 'BPE',
    dropout: null,
    unk_token: '<unk>',
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    ignore_merges: false,
    vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    merges,
    ...model,
  });
}

function byteBpe(preTokenizer: Record<string, unknown>) {
  const merges = [
    ['t', 'h'],
    ['th', 'e'],
    ['Ġ', 'the'],
    ['Ġ', 't'],
    ['å', 'Į'],
    ['Ġ', 'Ġ'],
    ['.', '.'],
    ['0', '0'],
  ];
  const pieces = ['<unk>', '<s>', '</s>', ...byteCharacters, ...merges.map((pair) => pair.join(''))];
  return file(
    {
      pre_tokenizer: preTokenizer,
      decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    },
    { type: 'BPE', unk_token: null, vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])), merges },
  );
}

function wordLevel(parts: Record<string, unknown>) {
  const pieces = ['<unk>', '<s>', '</s>', ...'the newest tower 欢迎 来 北京 . , ! - Welcome naïve x² 42 _'.split(' ')];
  return file(parts, {
    type: 'WordLevel',
    unk_token: '<unk>',
    vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
  });
}

function file(parts: Record<string, unknown>, model: Record<string, unknown>) {
  const added = ['<unk>', '<s>', '</s>'].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    ...parts,
    model: model as { type: string },
  };
}

const sequence = (...pretokenizers: unknown[]) => ({ type: 'Sequence', pretokenizers });
const whitespace = { pre_tokenizer: { type: 'Whitespace' } };
const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true };
const split = (behavior: string, invert = false) => ({ type: 'Split', pattern: { Regex: '[ .,]+' }, behavior, invert });
const llama3 =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

const files = {
  'no steps': bpe({}),
  NFC: bpe({ normalizer: { type: 'NFC' } }),
  NFD: bpe({ normalizer: { type: 'NFD' } }),
  NFKC: bpe({ normalizer: { type: 'NFKC' } }),
  NFKD: bpe({ normalizer: { type: 'NFKD' } }),
  Lowercase: bpe({ normalizer: { type: 'Lowercase' } }),
  StripAccents: bpe({ normalizer: { type: 'Sequence', normalizers: [{ type: 'NFD' }, { type: 'StripAccents' }] } }),
  Strip: bpe({ normalizer: { type: 'Strip', strip_left: true, strip_right: true } }),
  'Replace by text': bpe({ normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' } }),
  'Replace by pattern': bpe({ normalizer: { type: 'Replace', pattern: { Regex: '\\s+' }, content: '▁' } }),
  Prepend: bpe({ normalizer: { type: 'Prepend', prepend: '▁' } }),
  BertNormalizer: bpe({
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
  }),
  'BertNormalizer, cased': bpe({
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: false,
    },
  }),
  Whitespace: bpe(whitespace),
  WhitespaceSplit: bpe({ pre_tokenizer: { type: 'WhitespaceSplit' } }),
  BertPreTokenizer: bpe({ pre_tokenizer: { type: 'BertPreTokenizer' } }),
  Metaspace: bpe({ pre_tokenizer: metaspace, decoder: metaspace }),
  'Metaspace, first': bpe({ pre_tokenizer: { ...metaspace, prepend_scheme: 'first' }, decoder: metaspace }),
  'Metaspace, never': bpe({
    pre_tokenizer: { ...metaspace, prepend_scheme: 'never', split: false },
    decoder: { ...metaspace, prepend_scheme: 'never' },
  }),
  Punctuation: bpe({ pre_tokenizer: { type: 'Punctuation', behavior: 'Isolated' } }),
  'Punctuation, contiguous': wordLevel({ pre_tokenizer: { type: 'Punctuation', behavior: 'Contiguous' } }),
  Digits: bpe({ pre_tokenizer: { type: 'Digits', individual_digits: false } }),
  'Digits, one by one': bpe({ pre_tokenizer: { type: 'Digits', individual_digits: true } }),
  CharDelimiterSplit: bpe({ pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: '-' } }),
  'Split, isolated': wordLevel({ pre_tokenizer: split('Isolated') }),
  'Split, removed': wordLevel({ pre_tokenizer: split('Removed') }),
  'Split, inverted': wordLevel({ pre_tokenizer: split('Removed', true) }),
  'Split, merged with previous': wordLevel({ pre_tokenizer: split('MergedWithPrevious') }),
  'Split, merged with next': wordLevel({ pre_tokenizer: split('MergedWithNext') }),
  'Split, contiguous': wordLevel({ pre_tokenizer: split('Contiguous') }),
  Sequence: bpe({
    pre_tokenizer: sequence({ type: 'WhitespaceSplit' }, { type: 'Digits', individual_digits: true }, metaspace),
  }),
  ByteLevel: byteBpe({ type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true }),
  'ByteLevel with prefix space': byteBpe({
    type: 'ByteLevel',
    add_prefix_space: true,
    trim_offsets: true,
    use_regex: true,
  }),
  'Split and ByteLevel': byteBpe(
    sequence(
      { type: 'Split', pattern: { Regex: llama3 }, behavior: 'Isolated', invert: false },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    ),
  ),
  'fused unknown pieces': bpe(whitespace, { fuse_unk: true }),
  'no unknown piece': bpe(whitespace, { unk_token: null }),
  'merges as lines': bpe(whitespace, { merges: ['t h', 'th e', 'e r'] }),
  'whole words before merges': bpe(whitespace, { ignore_merges: true, merges: [['e', 'r']] }),
  'word-level': wordLevel(whitespace),
  'template around the text': wordLevel({
    ...whitespace,
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '<s>', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '</s>', type_id: 0 } },
      ],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: {
        '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] },
        '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
      },
    },
  }),
  RobertaProcessing: wordLevel({
    ...whitespace,
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', 2],
      cls: ['<s>', 1],
      trim_offsets: true,
      add_prefix_space: false,
    },
  }),
  BPEDecoder: bpe(
    { pre_tokenizer: { type: 'WhitespaceSplit' }, decoder: { type: 'BPEDecoder', suffix: '</w>' } },
    {
      end_of_word_suffix: '</w>',
      vocab: Object.fromEntries(
        ['<unk>', '<s>', '</s>', 't', 'h', 'e</w>', 'th', 'the</w>', 'n</w>'].map((p, i) => [p, i]),
      ),
      merges: [
        ['t', 'h'],
        ['th', 'e</w>'],
      ],
    },
  ),
};

const random = fc
  .sample(
    fc.oneof(
      wellFormedText,
      wellFormedText.map((text) => `the ${text} <s> newest. </s>`),
    ),
    { seed: 5, numRuns: 300 },
  )
  // Their Unicode tables are older than ours: no characters from the later planes but Han and emoji.
  .map((text) => text.replace(/(?!\p{Script=Han}|\p{Emoji})[\u{10000}-\u{10FFFF}]/gu, ''));

describe.each(Object.entries(files))('%s', (_, json) => {
  const ours = new PipelineTokenizer(json);
  const theirs = RustTokenizer.fromString(JSON.stringify(json));

  test('gives the ids of the Rust library', async () => {
    for (const text of random) {
      const { ids, tokens, offsets } = ours.encode(text);
      expect([text, ...ids]).toEqual([text, ...(await theirs.encode(text)).getIds()]);
      expect([tokens.length, offsets.length]).toEqual([ids.length, ids.length]);
      for (const [start, end] of offsets) expect(0 <= start && start <= end && end <= text.length).toBe(true);
    }
  });

  test('decodes to the text of the Rust library', async () => {
    for (const text of random) {
      const ids = [...ours.encode(text).ids];
      expect([text, ours.decode(ids, { keepSpecial: true })]).toEqual([text, await theirs.decode(ids, false)]);
    }
  });
});

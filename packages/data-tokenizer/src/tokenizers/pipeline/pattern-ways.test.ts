import { expect, test } from 'vitest';
import { JsonNode } from './json-node.js';
import { readPattern } from './pattern.js';

const read = (source: string) => readPattern(new JsonNode({ Regex: source }, 'pre_tokenizer.pattern'));

const letters = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+`;
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const rest = String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

test.each([
  ['GPT-2', String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`],
  ['Llama 3', `${letters}|\\p{N}{1,3}|${rest}`],
  ['cl100k', `(?i:'[sdmt]|'ll|'ve|'re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+|${rest}`],
  ['Qwen', `${letters}|\\p{N}|${rest}`],
  [
    'o200k',
    `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+(?i:'s|'t)?|[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*(?i:'s|'t)?|\\p{N}{1,3}|${rest}`,
  ],
  [
    'DeepSeek',
    String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  ],
  ['DeepSeek, Chinese', '[一-龥぀-ゟ゠-ヿ]+'],
  ['digits by threes', String.raw`\d{1,3}(?=(?:\d{3})*(?!\d))`],
  ['spaces', String.raw`\s+`],
  ['two spaces', ' {2,}'],
  ['words with spaces between', String.raw`^\S+(?: \S+)*$`],
  ['numbers', String.raw`\d+(?:\.\d+)*(?:,\d{3})*`],
])('the pattern of %s loads', (_, source) => {
  expect(read(source).flags).toBe('gu');
});

test.each([
  '(a+)+$',
  '(?:a*)*b',
  '(?:a|a)*b',
  '(?:a|ab|b)*c',
  '(?:ab|a|b)*c',
  String.raw`(?:\p{L}|\p{Lu})+$`,
  String.raw`(?:\w|\d)+$`,
  '(?:a?b?c?)*$',
  '(?:aa?)+$',
  '(?:a{1,30}){1,30}$',
  '(?=(a+)+b)',
  '(?<=^(a+)+)b',
  String.raw`(?:(a)\1)*b`,
  '(?:[一-龥]|中)*b',
])('%s is refused, for a loop', (source) => {
  expect(() => read(source)).toThrow(
    `tokenizer.json: pre_tokenizer.pattern holds a regular expression that could take for ever on some text (a repeated part matches some text in two ways): ${source}`,
  );
});

test.each([
  ['.*=.*=.*', '3 repetitions in a row take the same character'],
  [String.raw`\s*\s*\s*\s*$`, '4 repetitions in a row take the same character'],
  [`${'a?'.repeat(30)}$`, 'it matches a run of one character in more than 1000 ways'],
  ['(?:a?){30}a{30}', 'it matches a run of one character in more than 1000 ways'],
  ['(?:|){30}a', 'it matches a run of one character in more than 1000 ways'],
  ['(?:(?:a{99}){99}){99}', 'it has more than 1000 parts'],
  [`(?:${'a?'.repeat(100)}b)*`, 'its parts follow each other in over 4000 ways'],
])('%s is refused', (source, why) => {
  expect(() => read(source)).toThrow(`could take for ever on some text (${why}): ${source}`);
});

import * as HuggingFace from '@huggingface/tokenizers';
import fc from 'fast-check';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../batching/random.js';
import { anyText, sentences, wellFormedText } from '../testing/random-text.js';
import { BytePairTokenizer } from './byte-pair-tokenizer.js';
import { tokenizerFromJSON } from './tokenizer-from-json.js';
import { toWellFormed } from './well-formed.js';

const samples = fc.sample(anyText, { seed: 11, numRuns: 20_000 });

function same(a: ArrayLike<number | string>, b: ArrayLike<number | string>): boolean {
  return a.length === b.length && Array.from(a).every((item, index) => item === b[index]);
}

describe.each(['bytes', 'characters'] as const)('an alphabet of %s', (alphabet) => {
  let tokenizer: BytePairTokenizer;

  beforeAll(async () => {
    tokenizer = await BytePairTokenizer.train(sentences, { vocabularySize: 700, alphabet, minFrequency: 1 });
  });

  test('20,000 texts come back as they were, lone surrogates as U+FFFD', () => {
    const wrong = samples.filter((text) => tokenizer.decode(tokenizer.encode(text).ids) !== toWellFormed(text));
    expect(wrong).toEqual([]);
  });

  test('20,000 texts give the ids and pieces of @huggingface/tokenizers', () => {
    const theirs = new HuggingFace.Tokenizer(tokenizer.toJSON(), {});
    const wrong = samples.filter((text) => {
      const { ids, tokens } = tokenizer.encode(text);
      const expected = theirs.encode(text);
      return !same(ids, expected.ids) || !same(tokens, expected.tokens);
    });
    expect(wrong).toEqual([]);
  });

  test('5,000 texts give the ids of the Rust library, which decodes them to the same text', async () => {
    const theirs = RustTokenizer.fromString(JSON.stringify(tokenizer));
    const some = samples.slice(0, 5000);
    const encoded = await theirs.encodeBatch(some.map(toWellFormed));
    const decoded = await theirs.decodeBatch(
      encoded.map((encoding) => encoding.getIds()),
      true,
    );
    const wrong = some.filter((text, index) => {
      const ids = encoded[index]?.getIds() ?? [];
      return !same(tokenizer.encode(text).ids, ids) || decoded[index] !== toWellFormed(text);
    });
    expect(wrong).toEqual([]);
  });

  test('the names of special pieces in a text are those pieces, as in both libraries', async () => {
    const text = 'the <eos> of<pad> the <unk>fox';
    const { ids } = tokenizer.encode(text);
    expect([...ids]).toEqual(new HuggingFace.Tokenizer(tokenizer.toJSON(), {}).encode(text).ids);
    expect([...ids]).toEqual((await RustTokenizer.fromString(JSON.stringify(tokenizer)).encode(text)).getIds());
    expect([...ids].filter((id) => id < 4)).toEqual([3, 0, 1]);
  });

  test('offsets lie within the text, in order, and cover everything but white space', () => {
    for (const text of samples.slice(0, 3000)) {
      const covered = new Uint8Array(text.length);
      let last = 0;
      for (const [start, end] of tokenizer.encode(text).offsets) {
        if (start < last || end < start || end > text.length)
          expect.fail(`offsets [${start}, ${end}] in ${JSON.stringify(text)}`);
        covered.fill(1, start, end);
        last = start;
      }
      const missed = text.split('').filter((_, at) => !covered[at]);
      if (missed.join('').trim() !== '')
        expect.fail(`${JSON.stringify(missed)} is in no piece of ${JSON.stringify(text)}`);
    }
  });

  test('the same texts give the same file, whatever their order', async () => {
    const again = await BytePairTokenizer.train([...sentences].reverse(), {
      vocabularySize: 700,
      alphabet,
      minFrequency: 1,
    });
    expect(JSON.stringify(again)).toBe(JSON.stringify(tokenizer));
  });

  test('a file read back gives the same pieces', () => {
    const again = tokenizerFromJSON(JSON.stringify(tokenizer));
    for (const text of samples.slice(0, 500)) expect(again.encode(text)).toEqual(tokenizer.encode(text));
    expect(JSON.stringify(again)).toBe(JSON.stringify(tokenizer));
  });

  test('dropout cuts more finely, differs by seed, and never changes the text', () => {
    const text = 'the newest tower of the lowest dog, 欢迎来北京';
    const encode = (seed: number, rate: number) =>
      tokenizer.encode(text, { dropout: { rate, random: seededRandom(seed) } });
    expect(encode(1, 0)).toEqual(tokenizer.encode(text));
    expect(encode(1, 0.3)).toEqual(encode(1, 0.3));
    expect(encode(1, 0.3).tokens).not.toEqual(encode(2, 0.3).tokens);
    expect(encode(1, 0.3).ids.length).toBeGreaterThan(tokenizer.encode(text).ids.length);
    expect(encode(1, 1).tokens.every((token) => tokenizer.vocabulary.id(token) < 4 + 256 + 200)).toBe(true);
    fc.assert(
      fc.property(wellFormedText, fc.integer(), (any, seed) => {
        const dropout = { rate: 0.5, random: seededRandom(seed) };
        expect(tokenizer.decode(tokenizer.encode(any, { dropout }).ids)).toBe(any);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  test('a very long text without spaces is cut quickly, as its parts would be', () => {
    const long = '欢迎来北京我们明天去'.repeat(20_000);
    const started = performance.now();
    const { ids } = tokenizer.encode(long);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(tokenizer.decode(ids)).toBe(long);
    // The way long words are cut must agree with the way short ones are.
    const hf = new HuggingFace.Tokenizer(tokenizer.toJSON(), {});
    expect([...tokenizer.encode(long.slice(0, 2000)).ids]).toEqual(hf.encode(long.slice(0, 2000)).ids);
  });
});

test('joins the most frequent pair first, of equals the one that was there first', async () => {
  // A space's byte is smaller than a letter's, and c stands before d.
  const tokenizer = await BytePairTokenizer.train(['cd ab,ab,ab cd ef'], { vocabularySize: 264, minFrequency: 2 });
  expect(tokenizer.vocabulary.tokens.slice(260)).toEqual(['ab', 'Ġc', 'Ġcd']);
});

test('pairs rarer than minFrequency are not joined', async () => {
  const tokenizer = await BytePairTokenizer.train(['ab ab cd'], { vocabularySize: 1000, minFrequency: 2 });
  expect(tokenizer.vocabulary.tokens.slice(260)).toEqual(['Ġa', 'Ġab']);
});

test('a vocabulary too small for its alphabet is refused in one sentence', async () => {
  await expect(BytePairTokenizer.train(['a'], { vocabularySize: 100 })).rejects.toThrow(
    'BytePairTokenizer: vocabularySize must be a whole number from 260 on (special pieces and bytes); got 100',
  );
});

describe('joint learning', () => {
  const source = ['欢迎来北京', '我们明天去北京 2008', 'Tom 去北京'];
  const target = ['Welcome to Beijing', 'We are going to Beijing in 2008', 'Tom is going to Beijing'];

  test.each(['bytes', 'characters'] as const)(
    'each side cuts its own text as the joint tokenizer does (%s)',
    async (alphabet) => {
      const options = { vocabularySize: 420, alphabet, minFrequency: 1 };
      const sides = await BytePairTokenizer.trainJoint(source, target, options);
      for (const text of source) expect(sides.source.encode(text).tokens).toEqual(sides.joint.encode(text).tokens);
      for (const text of target) expect(sides.target.encode(text).tokens).toEqual(sides.joint.encode(text).tokens);
      expect(sides.source.encode('Tom 2008').tokens).toEqual(sides.target.encode('Tom 2008').tokens);
      expect(sides.source.size).toBeLessThan(sides.joint.size);
    },
  );

  test('a side without a piece falls back to smaller ones and still loses nothing', async () => {
    const { source: zh } = await BytePairTokenizer.trainJoint(source, target, { vocabularySize: 420, minFrequency: 1 });
    expect(zh.decode(zh.encode('Welcome to 北京').ids)).toBe('Welcome to 北京');
  });

  test("the sides' files load in both libraries and give the same ids", async () => {
    const sides = await BytePairTokenizer.trainJoint(source, target, {
      vocabularySize: 420,
      minFrequency: 1,
      sideMinFrequency: 2,
    });
    for (const side of [sides.source, sides.target]) {
      const js = new HuggingFace.Tokenizer(side.toJSON(), {});
      const rust = RustTokenizer.fromString(JSON.stringify(side));
      for (const text of [...source, ...target]) {
        expect([...side.encode(text).ids]).toEqual(js.encode(text).ids);
        expect([...side.encode(text).ids]).toEqual((await rust.encode(text)).getIds());
      }
    }
  });
});

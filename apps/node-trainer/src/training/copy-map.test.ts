import { Seq2Seq } from '@seqloom/seq2seq';
import { tensor1d } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { runConfigSchema } from '../config/run-config.js';
import { untrainedTranslator } from '../testing/untrained-translator.js';
import { Translator } from '../text/translator.js';
import { buildModel } from './build-model.js';
import { trainCodec } from './train-codec.js';

const pairs = [
  { source: 'call Anna at 5 pm', target: 'ruf Anna um 5 an' },
  { source: 'call Zbigniew at 7 pm', target: 'ruf ihn um 7 an' },
];

const configOf = (text: object, model: object = { decoder: { attention: 'dot', copy: true } }) =>
  runConfigSchema.parse({ text, model, data: { direction: 'en-de' } });

beforeAll(async () => {
  await untrainedTranslator(); // starts the backend
});

test.each([
  ['words', {}],
  ['shared merges', { share: 'merges', source: { tokenizer: 'bpe', vocabularySize: 300 } }],
])('%s: copying says the same piece on the other side, <unk> where there is none', async (_, text) => {
  const config = configOf(text);
  const codec = await trainCodec(pairs, config);
  const { copyMap } = buildModel(config, codec).config;
  const [source, target] = [codec.source.tokenizer.vocabulary, codec.target.tokenizer.vocabulary];
  expect(copyMap!.slice(0, 4)).toEqual([0, 1, 2, 3]);
  for (const [id, piece] of source.tokens.entries()) {
    expect(copyMap![id]).toBe(target.tokens.includes(piece) ? target.id(piece) : 1);
  }
  expect(copyMap!.filter((id) => id > 3).length).toBeGreaterThan(1);
});

test('with one vocabulary nothing is mapped; without copying neither', async () => {
  const one = configOf({ share: 'vocabulary' });
  expect(buildModel(one, await trainCodec(pairs, one)).config.copyMap).toBeNull();
  const none = configOf({}, { decoder: { attention: 'dot' } });
  expect(buildModel(none, await trainCodec(pairs, none)).config.copyMap).toBeNull();
});

test('pieces of different kinds are not compared', async () => {
  const config = configOf({ source: { tokenizer: 'bpe', vocabularySize: 300 } });
  const codec = await trainCodec(pairs, config);
  expect(() => buildModel(config, codec)).toThrow(
    'copy needs the same tokenizer on both sides, as pieces are compared; got bpe of bytes and words',
  );
});

test('a copied word that the target side does not know comes through as it was written', async () => {
  const config = configOf({ source: { normalize: ['nfc', 'lowercase'] } });
  const codec = await trainCodec(pairs, config);
  const model = buildModel(config, codec);
  const gate = model.namedParameters().get('output.gate.bias')!;
  gate.assign(tensor1d([-50])); // always copies
  const copying = new Translator([model], codec);
  const [answer] = await copying.translate(['Zbigniew'], { maxLength: 1 });
  expect(answer!.hypotheses[0]!.text).toBe('Zbigniew');
  const [asked] = await copying.translate(['Zbigniew'], { maxLength: 1, replaceUnknown: false });
  expect(asked!.hypotheses[0]!.text).toBe('<unk>');
  const [known] = await copying.translate(['7'], { maxLength: 1 });
  expect(known!.hypotheses[0]!.text).toBe('7');
  expect(Seq2Seq.create(model.config).config).toEqual(model.config);
});

import { Normalizer, TextCodec, TextSide, WordTokenizer } from '@seqloom/data-tokenizer';
import { Seq2Seq, useBackend } from '@seqloom/seq2seq';
import { tensor1d } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import type { Sentence } from './protocol.js';
import { translateText } from './translate-text.js';

test('a word that only the source has stands in the text of a model that copies, while it comes and in the end', async () => {
  await useBackend();
  const side = async (text: string, language: string) =>
    new TextSide(await WordTokenizer.train([text], { locale: language }), language, new Normalizer(['nfc']));
  const source = await side('call Zbigniew', 'en');
  const target = await side('ruf an', 'de');
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 8 },
    decoder: { attention: 'dot', copy: true },
    sourceVocabulary: source.size,
    targetVocabulary: target.size,
    copyMap: Array.from({ length: source.size }, (_, id) => (id < 4 ? id : 1)),
  });
  const gate = model.namedParameters().get('output.gate.bias')!;
  gate.assign(tensor1d([-50])); // always copies
  const codec = new TextCodec({ source, target, direction: 'en-de', maxPieces: 8 });
  const about = { parameters: 0 } as never;
  const seen: Sentence[] = [];
  const { signal } = new AbortController();
  await translateText({ model, codec, about }, 'Zbigniew', 1, (sentence) => seen.push({ ...sentence }), signal);
  const texts = seen.map(({ text }) => text);
  expect(texts[0]).toBe('Zbigniew');
  expect(texts.at(-1)).toMatch(/^Zbigniew( Zbigniew)*$/);
  expect(seen.at(-1)!.hypotheses[0]!.text).toBe(texts.at(-1));
  model.dispose();
});

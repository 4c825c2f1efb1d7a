import { Normalizer, TextCodec, TextSide, WordTokenizer } from '@seqloom/data-tokenizer';
import { Seq2Seq, useBackend } from '@seqloom/seq2seq';
import { Translator } from '../text/translator.js';

/** A tiny zh→en model with its first weights: what it says is nonsense, but the same nonsense each time. */
export async function untrainedTranslator(): Promise<Translator> {
  await useBackend();
  const side = async (texts: string[], language: string) =>
    new TextSide(await WordTokenizer.train(texts, { locale: language }), language, new Normalizer(['nfc']));
  const source = await side(['我 喜欢 猫 。', '她 喜欢 茶 ！'], 'zh');
  const target = await side(['I like cats .', 'she likes tea !'], 'en');
  const codec = new TextCodec({ source, target, direction: 'zh-en', maxPieces: 8 });
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 8 },
    decoder: { attention: 'dot' },
    sourceVocabulary: source.size,
    targetVocabulary: target.size,
    seed: 3,
  });
  return new Translator([model], codec, { maxLength: 6 });
}

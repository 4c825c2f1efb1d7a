import { Seq2Seq } from '@seqloom/seq2seq';
import { memory, tensor1d } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { untrainedTranslator } from '../testing/untrained-translator.js';
import { Translator } from './translator.js';

let translator: Translator;

beforeAll(async () => {
  translator = await untrainedTranslator();
});

test('blank and unknown lines are answered, each in its place', async () => {
  const answers = await translator.translate(['', '我喜欢猫。', ' \t', '🙂🙂', '猫']);
  expect(answers.map(({ hypotheses }) => hypotheses.length)).toEqual([0, 1, 0, 1, 1]);
  expect(answers.map(({ source }) => source)).toEqual(['', '我喜欢猫。', ' \t', '🙂🙂', '猫']);
});

test('a line that is too long is translated sentence by sentence, to its end', async () => {
  const sentences = ['我喜欢猫。', '她喜欢茶！', '我喜欢茶。'];
  const [whole] = await translator.translate([sentences.join('')]);
  const alone = await translator.translate(sentences);
  expect(whole).toMatchObject({ sentences: 3, cut: 0 });
  expect(whole!.hypotheses[0]!.text).toBe(alone.map(({ hypotheses }) => hypotheses[0]!.text).join(' '));
});

test('a sentence that is too long by itself is divided, and nothing is left out', async () => {
  const [answer] = await translator.translate([`${'我喜欢猫，'.repeat(30)}她喜欢茶`]);
  expect(answer!.sentences).toBeGreaterThan(10);
  expect(answer!.cut).toBe(0);
  const [unbroken] = await translator.translate(['猫'.repeat(500)]);
  expect(unbroken!.cut).toBe(0);
});

test('the raw source word stands where the model says <unk>, when that is wanted', async () => {
  const { codec } = translator;
  const model = Seq2Seq.create({ ...translator.models[0]!.config, seed: 3 });
  const bias = [...model.namedParameters()].find(([name]) => name === 'output.bias')![1];
  bias.assign(tensor1d(Float32Array.from({ length: codec.target.size }, (_, id) => (id === 1 ? 50 : 0))));
  const saying = new Translator([model], codec);
  const [plain] = await saying.translate(['😀'], { maxLength: 2 });
  const [replaced] = await saying.translate(['😀'], { maxLength: 2, replaceUnknown: true });
  expect(plain!.hypotheses[0]!.text).toBe('<unk> <unk>');
  expect(replaced!.hypotheses[0]!.text).toBe('😀 😀');
  model.dispose();
});

test('translating leaves no tensors behind', async () => {
  const before = memory().numTensors;
  for (let i = 0; i < 20; i++) await translator.translate(['我喜欢猫。', '', '茶'], { beam: 3 });
  expect(memory().numTensors).toBe(before);
});

import { expect, test } from 'vitest';
import { presets } from '../index.js';
import { variants } from '../testing/variants.js';
import { type RecurrentConfig, resolveModelConfig } from './model-config.js';

const recurrent = (input: unknown) => resolveModelConfig(input) as RecurrentConfig;

const sizes = { sourceVocabulary: 12, targetVocabulary: 15 };

test('the sizes alone make a model; what depends on other values follows them', () => {
  const config = recurrent({
    ...sizes,
    encoder: { cell: 'lstm', hiddenSize: 64, bidirectional: true, dropout: 0.2 },
  });
  expect(config.encoder).toMatchObject({ embeddingSize: 64, embeddingDropout: 0.2, outputDropout: 0 });
  expect(config.decoder).toMatchObject({ kind: 'plain', attention: null, cell: 'lstm', hiddenSize: 64 });
  expect(config.bridge).toBe('dense');
  expect(resolveModelConfig({ ...sizes, decoder: { attention: 'additive' } })).toMatchObject({
    decoder: { kind: 'luong' },
    bridge: 'last',
  });
  expect(recurrent({ ...sizes, decoder: { kind: 'bahdanau' } }).decoder.attention).toBe('additive');
  expect(recurrent({ ...sizes, decoder: { kind: 'qkv' } }).decoder.attention).toBe('scaled-dot');
});

test('a transformer is one where its section is given or its kind is named', () => {
  const given = resolveModelConfig({ ...sizes, transformer: { size: 12, dropout: 0.1 } });
  expect(given).toMatchObject({ kind: 'transformer', transformer: { feedForwardSize: 48, attentionDropout: 0.1 } });
  expect(resolveModelConfig({ ...sizes, kind: 'transformer' })).toMatchObject({ transformer: { size: 256 } });
  expect(resolveModelConfig(sizes).kind).toBe('recurrent');
});

test.each([...variants, ...Object.entries(presets).map(([name, preset]) => [name, preset(sizes)] as const)])(
  '%s: resolving again changes nothing, and it is plain JSON',
  (_, config) => {
    const resolved = resolveModelConfig(config);
    expect(resolveModelConfig(JSON.parse(JSON.stringify(resolved)))).toEqual(resolved);
  },
);

test.each<[unknown, string]>([
  [{}, 'sourceVocabulary must be a number; got nothing'],
  [{ ...sizes, sourceVocabulary: 0 }, 'sourceVocabulary must be at least 1; got 0'],
  [{ ...sizes, encoder: { hidenSize: 4 } }, 'unknown name "encoder.hidenSize"; did you mean "hiddenSize"?'],
  [{ ...sizes, zzz: 4 }, 'unknown name "zzz"; the names are kind, encoder, decoder, bridge'],
  [{ ...sizes, encoder: { cell: 'gruu' } }, 'encoder.cell must be one of rnn, gru, lstm; got "gruu"'],
  [{ ...sizes, encoder: { dropout: 1 } }, 'encoder.dropout must be less than 1; got 1'],
  [{ ...sizes, encoder: { hiddenSize: 1.5 } }, 'encoder.hiddenSize must be a whole number; got 1.5'],
  [{ ...sizes, encoder: [] }, 'encoder must be an object; got []'],
  ['text', 'the value must be an object; got "text"'],
  [{ ...sizes, decoder: { kind: 'luong', attention: null } }, 'decoder.kind luong needs decoder.attention; got null'],
  [
    { ...sizes, decoder: { kind: 'plain', attention: 'dot' } },
    'decoder.attention must be null with decoder.kind plain; got dot',
  ],
  [
    { ...sizes, encoder: { bidirectional: true }, decoder: { attention: 'dot' } },
    "attention dot needs decoder.hiddenSize equal to the encoder's output size 512; got 256 (general and additive take any sizes)",
  ],
  [
    { ...sizes, encoder: { bidirectional: true }, bridge: 'last' },
    "bridge last needs decoder.hiddenSize equal to the encoder's output size 512; got 256 (bridge dense takes any size)",
  ],
  [
    { ...sizes, decoder: { numLayers: 2 }, bridge: 'last' },
    'bridge last needs as many encoder layers as decoder layers; got 1 and 2 (bridge dense takes any)',
  ],
  [
    { ...sizes, decoder: { inputFeeding: true } },
    'decoder.inputFeeding belongs to decoder.kind luong; got true with plain',
  ],
  [{ ...sizes, decoder: { nonlinearity: 'relu' } }, 'decoder.nonlinearity belongs to cell rnn; got relu with gru'],
  [{ ...sizes, encoder: { peephole: true } }, 'encoder.peephole belongs to cell lstm; got true with gru'],
  [
    { ...sizes, encoder: { cell: 'rnn', layerNorm: true } },
    'encoder.layerNorm belongs to cell gru or lstm; got true with rnn',
  ],
  [
    { ...sizes, encoder: { cell: 'lstm', resetAfter: false } },
    'encoder.resetAfter belongs to cell gru; got false with lstm',
  ],
  [
    { ...sizes, decoder: { layerNorm: true, resetAfter: false } },
    'decoder.layerNorm needs resetAfter; got resetAfter false',
  ],
  [
    { ...sizes, decoder: { attention: 'dot', attentionNormalized: true } },
    'decoder.attentionNormalized needs attention additive or concat; got dot',
  ],
  [{ ...sizes, shareEmbeddings: true }, 'shareEmbeddings needs one vocabulary; got sizes 12 and 15'],
  [{ ...sizes, transformer: { numHead: 2 } }, 'unknown name "transformer.numHead"; did you mean "numHeads"?'],
  [{ ...sizes, transformer: { size: 6, numHeads: 4 } }, 'transformer.numHeads must divide transformer.size 6; got 4'],
  [
    { ...sizes, transformer: { maxPositions: 9 } },
    'transformer.maxPositions belongs to positions learned; got 9 with sinusoidal',
  ],
  [
    { ...sizes, transformer: { copy: true } },
    'transformer.copy needs one vocabulary, or a copyMap; got sizes 12 and 15',
  ],
  [{ ...sizes, copyMap: [] }, 'copyMap belongs to decoder.copy; got it without'],
  [
    { ...sizes, transformer: { copy: true }, copyMap: [1, 2] },
    'copyMap must have a target id for each of the 12 source ids; got 2',
  ],
  [
    { ...sizes, transformer: { copy: true }, copyMap: [...Array(11).fill(1), 15] },
    "copyMap must hold ids below the target vocabulary's size 15; got 15 for source id 11",
  ],
  [{ ...sizes, kind: 'transformer', encoder: {} }, 'encoder belongs to kind recurrent; got it with kind transformer'],
  [{ ...sizes, transformer: {}, bridge: 'zero' }, 'bridge belongs to kind recurrent; got it with kind transformer'],
  [
    { ...sizes, kind: 'recurrent', transformer: {} },
    'transformer belongs to kind transformer; got it with kind recurrent',
  ],
  [{ ...sizes, eosId: 15 }, 'eosId must be below the vocabulary size 15; got 15'],
  [{ ...sizes, unkId: 0 }, 'padId and unkId must differ; got 0 for both'],
])('%j is refused in one sentence', (config, message) => {
  expect(() => resolveModelConfig(config)).toThrow(`model config: ${message}`);
});

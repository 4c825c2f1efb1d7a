import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Batch, type ModelConfigInput, Seq2Seq, uniqueState, useBackend } from '@seqloom/seq2seq';
import { writeSafetensors } from '@seqloom/tensor-ops';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { readPyTorch, writePyTorch } from './folder.js';
import { generateModule } from './generate-module.js';

type Parts = Omit<ModelConfigInput, 'sourceVocabulary' | 'targetVocabulary'>;

const both = { cell: 'gru', hiddenSize: 6, bidirectional: true } as const;
const one = { cell: 'gru', hiddenSize: 8 } as const;
const small = { size: 8, numHeads: 2, encoderLayers: 2, decoderLayers: 2, feedForwardSize: 12 } as const;

const table: Record<string, Parts> = {
  'plain rnn, last state': { encoder: { ...one, cell: 'rnn' }, decoder: { kind: 'plain' }, bridge: 'last' },
  'plain relu rnn, two layers': {
    encoder: { ...one, cell: 'rnn', nonlinearity: 'relu', numLayers: 2 },
    decoder: { kind: 'plain', nonlinearity: 'relu', numLayers: 2 },
    bridge: 'last',
  },
  'plain that repeats the context': { encoder: both, decoder: { kind: 'plain', repeatContext: true }, bridge: 'dense' },
  'plain lstm that repeats the context': {
    encoder: { ...both, cell: 'lstm', numLayers: 2 },
    decoder: { kind: 'plain', repeatContext: true, hiddenSize: 5 },
  },
  'concat with dot': { encoder: { ...one, cell: 'rnn' }, decoder: { kind: 'concat', attention: 'dot' } },
  'concat with multi-head': {
    encoder: both,
    decoder: { kind: 'concat', attention: 'multi-head', attentionHeads: 2 },
  },
  'luong with general, lstm': {
    encoder: { ...both, cell: 'lstm', numLayers: 2, dropout: 0.2, outputDropout: 0.1 },
    decoder: { kind: 'luong', attention: 'general', numLayers: 2, hiddenSize: 12, dropout: 0.2 },
    bridge: 'last',
  },
  'luong with the top two of three layers': {
    encoder: { ...both, numLayers: 3 },
    decoder: { kind: 'luong', attention: 'scaled-dot', numLayers: 2, hiddenSize: 12 },
    bridge: 'last',
  },
  'luong with concat score': { encoder: both, decoder: { kind: 'luong', attention: 'concat', attentionBias: false } },
  'luong with input feeding': {
    encoder: both,
    decoder: { kind: 'luong', attention: 'additive', inputFeeding: true, numLayers: 2 },
    bridge: 'mean',
  },
  'lstm with input feeding after a gru': {
    encoder: { ...both, numLayers: 2 },
    decoder: { kind: 'luong', attention: 'dot', cell: 'lstm', inputFeeding: true, hiddenSize: 12 },
    bridge: 'last',
  },
  'bahdanau with tanh readout, tied': {
    encoder: both,
    decoder: { kind: 'bahdanau', tieEmbeddings: true, attentionSize: 5, readoutSize: 10 },
  },
  'bahdanau lstm with maxout': {
    encoder: { ...both, cell: 'lstm' },
    decoder: { kind: 'bahdanau', readout: 'maxout', tieEmbeddings: true, numLayers: 2 },
    bridge: 'dense',
  },
  'bahdanau without readout': {
    encoder: both,
    decoder: { kind: 'bahdanau', attention: 'general', readout: 'none' },
    bridge: 'zero',
  },
  'bahdanau lstm from nothing, multi-head': {
    encoder: { ...one, cell: 'rnn' },
    decoder: { kind: 'bahdanau', attention: 'multi-head', attentionHeads: 2, cell: 'lstm' },
    bridge: 'zero',
  },
  'qkv combined, shared': { encoder: one, decoder: { kind: 'qkv' }, shareEmbeddings: true },
  'qkv with the context alone': {
    encoder: { ...one, cell: 'lstm' },
    decoder: { kind: 'qkv', attention: 'additive', contextInput: 'alone' },
    bridge: 'mean',
  },
  'luong with coverage': { encoder: both, decoder: { kind: 'luong', attention: 'additive', coverage: true } },
  'qkv with coverage of concat': { encoder: one, decoder: { kind: 'qkv', attention: 'concat', coverage: true } },
  'residual layers on both sides': {
    encoder: { ...both, numLayers: 3, residual: true, dropout: 0.1 },
    decoder: { kind: 'luong', attention: 'general', numLayers: 2, residual: true, hiddenSize: 12 },
    bridge: 'last',
  },
  'residual lstm with input feeding after a relu rnn': {
    encoder: { ...one, cell: 'rnn', nonlinearity: 'relu', numLayers: 2, residual: true },
    decoder: { kind: 'luong', attention: 'dot', cell: 'lstm', inputFeeding: true, numLayers: 3, residual: true },
  },
  'bahdanau after residual lstm': {
    encoder: { ...both, cell: 'lstm', numLayers: 2, residual: true },
    decoder: { kind: 'bahdanau', numLayers: 2, residual: true },
  },
  'luong with a normalised score': {
    encoder: both,
    decoder: { kind: 'luong', attention: 'additive', attentionNormalized: true },
  },
  'bahdanau with a normalised concat score and coverage': {
    encoder: both,
    decoder: { kind: 'bahdanau', attention: 'concat', attentionNormalized: true, coverage: true },
  },
  'copying to other ids': {
    encoder: both,
    decoder: { kind: 'luong', attention: 'general', copy: true },
    copyMap: [0, 1, 2, 3, 11, 10, 9, 8, 7, 6, 1, 1],
  },
  'concat with copying': { encoder: one, decoder: { kind: 'concat', copy: true } },
  'multi-head with copying, tied': {
    encoder: both,
    decoder: {
      kind: 'luong',
      attention: 'multi-head',
      attentionHeads: 3,
      copy: true,
      tieEmbeddings: true,
      embeddingSize: 8,
    },
  },
  'input feeding with coverage and copying': {
    encoder: both,
    decoder: { kind: 'luong', attention: 'concat', inputFeeding: true, coverage: true, copy: true },
  },
  'bahdanau with coverage and copying': {
    encoder: both,
    decoder: { kind: 'bahdanau', readout: 'none', coverage: true, copy: true },
  },
  'transformer, tied': { transformer: { ...small, tieEmbeddings: true, dropout: 0.1, attentionDropout: 0.2 } },
  'transformer with norms after, learned positions, gelu': {
    transformer: { ...small, norm: 'post', positions: 'learned', maxPositions: 16, activation: 'gelu' },
    shareEmbeddings: true,
  },
  'transformer with copying': { transformer: { ...small, copy: true, dropout: 0.1 } },
  'transformer of one layer with norms after and copying to other ids': {
    transformer: { ...small, decoderLayers: 1, norm: 'post', activation: 'gelu', copy: true, tieEmbeddings: true },
    copyMap: [0, 1, 2, 3, 4, 4, 4, 1, 1, 7, 6, 5],
  },
};

const batch: Batch = {
  rows: 3,
  source: Int32Array.of(4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 11, 4, 4, 0, 0),
  sourceWidth: 5,
  sourceLengths: Int32Array.of(5, 2, 3),
  target: Int32Array.of(2, 9, 8, 3, 2, 7, 10, 3, 2, 4, 5, 6),
  targetWidth: 4,
  targetLengths: Int32Array.of(4, 4, 4),
};

const rowsOf = (ids: Int32Array, width: number): number[][] =>
  Array.from({ length: ids.length / width }, (_, row) => [...ids.subarray(row * width, (row + 1) * width)]);

const ids = {
  source: rowsOf(batch.source, batch.sourceWidth),
  lengths: [...batch.sourceLengths],
  target: rowsOf(batch.target, batch.targetWidth),
};

const create = (parts: Parts) => Seq2Seq.create({ seed: 3, ...parts, sourceVocabulary: 12, targetVocabulary: 12 });

function expectClose(values: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(values.length).toBe(expected.length);
  const differences = Array.from(values, (value, i) => Math.abs(value - expected[i]!));
  expect(Math.max(...differences)).toBeLessThan(1e-4);
}

const python = process.env.SEQLOOM_PYTHON ?? '/usr/bin/python3';
const findTorch = 'import importlib.util as i, sys; sys.exit(i.find_spec("torch") is None)';
const hasTorch = spawnSync(python, ['-c', findTorch]).status === 0;

beforeAll(async () => {
  await useBackend();
});

describe('without Python', () => {
  const refused: [string, Parts][] = [
    ['encoder.resetAfter false', { encoder: { ...one, resetAfter: false } }],
    ['encoder.layerNorm', { encoder: { ...one, layerNorm: true } }],
    ['decoder.peephole', { encoder: one, decoder: { cell: 'lstm', peephole: true } }],
  ];

  test.each(refused)('%s is refused by its name', (name, parts) => {
    const { config } = create(parts);
    expect(() => generateModule(config)).toThrow(`export: ${name} has no counterpart in PyTorch's cells`);
  });

  test('residual means nothing with one layer', () => {
    const text = generateModule(create({ encoder: { ...one, residual: true } }).config);
    expect(text).toContain('nn.GRU(8, 8');
    expect(text).not.toContain('Residual');
  });

  test('weights go out and come back bit for bit', async () => {
    for (const [name, parts] of Object.entries(table)) {
      const folder = temporaryFolder('seqloom-export-');
      const model = create(parts);
      await writePyTorch(folder, model);
      const other = create({ ...parts, seed: 4 });
      await readPyTorch(folder, other);
      expect(writeSafetensors(uniqueState(other)), name).toEqual(writeSafetensors(uniqueState(model)));
    }
  });

  test('every line of the module does something for its configuration', () => {
    const text = (parts: Parts) => generateModule(create(parts).config);
    const plain = text(table['plain rnn, last state']!);
    expect(plain).not.toMatch(/attention|Attention|math|F\.|cell|Output/);
    expect(text(table['luong with concat score']!)).not.toMatch(/dropout|for x in|MultiheadAttention/);
    expect(text(table['transformer, tied']!)).not.toMatch(/pack_padded|Bridge|class Attention/);
    for (const parts of Object.values(table)) {
      expect(
        Math.max(
          ...text(parts)
            .split('\n')
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(120);
    }
  });

  test('weights that do not fit are refused with the file and the name, and the model stays as it was', async () => {
    const folder = temporaryFolder('seqloom-import-');
    const model = create(table['plain rnn, last state']!);
    const before = writeSafetensors(uniqueState(model));
    const write = (change: (state: ReturnType<typeof uniqueState>) => void) => {
      const state = uniqueState(model);
      change(state);
      const file = path.join(folder, 'changed.safetensors');
      writeFileSync(file, writeSafetensors(state));
      return file;
    };
    const missing = write((state) => state.delete('output.bias'));
    await expect(readPyTorch(missing, model)).rejects.toThrow(`${missing}: "output.bias" is missing`);
    const extra = write((state) => state.set('module.x', { shape: [1], data: Float32Array.of(1) }));
    await expect(readPyTorch(extra, model)).rejects.toThrow(`${extra}: unexpected "module.x"`);
    const misshapen = write((state) => state.set('output.bias', { shape: [1], data: Float32Array.of(1) }));
    await expect(readPyTorch(misshapen, model)).rejects.toThrow('"output.bias" must be of shape [12]; got [1]');
    const broken = path.join(folder, 'broken.safetensors');
    writeFileSync(broken, 'not a safetensors file');
    await expect(readPyTorch(broken, model)).rejects.toThrow(broken);
    expect(writeSafetensors(uniqueState(model))).toEqual(before);
  });
});

describe.skipIf(!hasTorch)(`with torch (SEQLOOM_PYTHON, else /usr/bin/python3)`, () => {
  const root = temporaryFolder('seqloom-pytorch-');
  const names = Object.keys(table);
  const models = new Map<string, Seq2Seq>();
  const folderOf = (name: string) => path.join(root, String(names.indexOf(name)));
  let results: Record<string, { before: number[]; checked: number[][][]; after: number[] }>;

  beforeAll(async () => {
    for (const name of names) {
      const model = create(table[name]!);
      models.set(name, model);
      await writePyTorch(folderOf(name), model);
      writeFileSync(path.join(folderOf(name), 'ids.json'), JSON.stringify(ids));
    }
    const script = fileURLToPath(new URL('../testing/check-pytorch.py', import.meta.url));
    const { stdout, stderr, status } = spawnSync(python, [script, root], { encoding: 'utf8', maxBuffer: 1e9 });
    expect(status, stderr).toBe(0);
    results = JSON.parse(stdout) as typeof results;
  }, 120_000);

  test.each(names)('%s: the same outputs, and after training there the same outputs here', async (name) => {
    const model = models.get(name)!;
    const { before, checked, after } = results[path.basename(folderOf(name))]!;
    const here = model.logProbabilities(batch).dataSync().slice();
    expectClose(before, here);
    expectClose(
      checked.flat().flatMap((row) => row.map((value) => value - logSumExp(row))),
      here,
    );
    await readPyTorch(path.join(folderOf(name), 'trained.safetensors'), model);
    const trained = model.logProbabilities(batch).dataSync().slice();
    expectClose(after, trained);
    expect(Math.max(...trained.map((value, i) => Math.abs(value - here[i]!)))).toBeGreaterThan(0.01);
    model.dispose();
  });
});

function logSumExp(row: number[]): number {
  return Math.log(row.reduce((sum, value) => sum + Math.exp(value), 0));
}

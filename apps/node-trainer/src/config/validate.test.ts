import { expect, test } from 'vitest';
import { z } from 'zod';
import { applyOverrides, parseOverride } from './overrides.js';
import { parseConfigText } from './source.js';
import { validateConfig } from './validate.js';

const schema = z.strictObject({
  seed: z.int().default(1),
  training: z
    .strictObject({
      epochs: z.int().positive().nullable().default(null),
      optimizer: z.strictObject({ name: z.enum(['adam', 'sgd']).default('adam') }).prefault({}),
    })
    .prefault({}),
  train: z
    .union([z.string(), z.strictObject({ source: z.string(), target: z.string() })])
    .nullable()
    .default(null),
});

function read(text: string, ...assignments: string[]) {
  const source = parseConfigText(text, 'run.yaml');
  const overrides = assignments.map(parseOverride);
  return validateConfig(schema, applyOverrides(source.value, overrides), source, overrides);
}

test('defaults are filled in, JSON is read as YAML is', () => {
  const expected = { seed: 7, training: { epochs: 3, optimizer: { name: 'adam' } }, train: null };
  expect(read('seed: 7\ntraining:\n  epochs: 3\n')).toEqual(expected);
  expect(read('{"seed": 7, "training": {"epochs": 3}}')).toEqual(expected);
  expect(read('')).toMatchObject({ seed: 1 });
});

test.each([
  [
    'an unknown key',
    'seed: 1\ntraining:\n  epochs: 2\n  optimiser:\n    name: adam\n',
    'run.yaml, line 4: unknown key "training.optimiser"; did you mean "optimizer"?',
  ],
  [
    'an unknown key far from any',
    'zzzzzzzzzz: 1',
    'run.yaml, line 1: unknown key "zzzzzzzzzz"; known here: seed, training, train',
  ],
  ['a wrong type', 'seed: many', 'run.yaml, line 1: "seed" must be of type number; got "many"'],
  ['a value out of range', 'training:\n  epochs: 0', 'run.yaml, line 2: "training.epochs" must be over 0; got 0'],
  [
    'a value that is none of the known',
    'training:\n  optimizer:\n\n    name: adamm',
    'run.yaml, line 4: "training.optimizer.name" must be "adam" or "sgd"; got "adamm"',
  ],
  [
    'half a pair of files',
    'train:\n  source: a.de',
    'run.yaml, line 1: "train.target" is missing: a value of type string is needed',
  ],
  ['text that is not YAML', 'seed: 1\ntrain: [a, b\nx: 1', 'run.yaml, line 3: this is not YAML'],
  ['a key given twice', 'seed: 1\nseed: 2', 'run.yaml, line 2: this is not YAML (Map keys must be unique)'],
])('%s is refused with file, line and rule', (_, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('--set wins over the file, and is named where its value is wrong', () => {
  expect(read('training: {epochs: 2}', 'training.epochs=5', 'training.optimizer.name=sgd', 'train=a.tsv')).toEqual({
    seed: 1,
    training: { epochs: 5, optimizer: { name: 'sgd' } },
    train: 'a.tsv',
  });
  expect(() => read('seed: 1', 'training.epoch=5')).toThrow(
    '--set training.epoch=5: unknown key "training.epoch"; did you mean "epochs"?',
  );
  expect(() => read('', 'training.epochs=x')).toThrow('--set training.epochs=x: "training.epochs" must be of type');
  expect(() => read('', 'epochs')).toThrow('must be KEY=VALUE');
});

test('a key named __proto__ is a key like others', () => {
  expect(() => read('', '__proto__.polluted=1')).toThrow('unknown key "__proto__"');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('an unknown key of the command line is named as such', () => {
  expect(() => read('seed: 1', 'training.optimizr.name=sgd')).toThrow(
    '--set training.optimizr.name=sgd: unknown key "training.optimizr"; did you mean "optimizer"?',
  );
});

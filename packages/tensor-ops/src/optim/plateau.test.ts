import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Plateau, type PlateauOptions } from './plateau.js';

const { plateaus }: { plateaus: { options: Partial<PlateauOptions>; measures: number[]; rates: number[] }[] } =
  JSON.parse(readFileSync(new URL('../../fixtures/optimizers.json', import.meta.url), 'utf8'));

test.each(plateaus)("gives the rates of PyTorch's ReduceLROnPlateau: $options", ({ options, measures, rates }) => {
  const plateau = new Plateau({ learningRate: 1, ...options });
  const ours = measures.map((measure) => {
    plateau.observe(measure);
    return plateau.learningRate;
  });
  expect(ours).toEqual(rates);
});

test('goes on from its state', () => {
  const options = { learningRate: 1, factor: 0.5, patience: 1 };
  const [whole, before] = [new Plateau(options), new Plateau(options)];
  for (const measure of [3, 2, 2]) {
    whole.observe(measure);
    before.observe(measure);
  }
  const after = new Plateau(options);
  after.loadStateDict(JSON.parse(JSON.stringify(before.stateDict())));
  for (const measure of [2, 2, 2, 2, 2]) {
    whole.observe(measure);
    after.observe(measure);
    expect(after.learningRate).toBe(whole.learningRate);
  }
  expect(after.stateDict()).toEqual(whole.stateDict());
});

test('NaN counts as no improvement', () => {
  const plateau = new Plateau({ learningRate: 1, factor: 0.5, patience: 0 });
  for (const measure of [Number.NaN, 1, Number.NaN]) plateau.observe(measure);
  expect(plateau.learningRate).toBe(0.25);
});

test('refuses a factor that would not cut', () => {
  expect(() => new Plateau({ learningRate: 1, factor: 1 })).toThrow('Plateau: factor must be in (0, 1); got 1');
});

import { expect, test } from 'vitest';
import {
  constantSchedule,
  cosineSchedule,
  exponentialSchedule,
  inverseSquareRootSchedule,
  linearSchedule,
} from './schedules.js';

const learningRate = 0.01;

test('every schedule climbs in a line to the peak at the end of its warm-up', () => {
  const warm = { learningRate, warmUpSteps: 4 };
  for (const schedule of [
    constantSchedule(warm),
    inverseSquareRootSchedule(warm),
    cosineSchedule({ ...warm, totalSteps: 10 }),
    linearSchedule({ ...warm, totalSteps: 10 }),
    exponentialSchedule({ ...warm, decayRate: 0.9 }),
  ]) {
    expect([1, 2, 3, 4].map(schedule)).toEqual([0.0025, 0.005, 0.0075, 0.01]);
    expect(schedule(5)).toBeLessThanOrEqual(learningRate);
  }
});

test('without a warm-up the constant is itself from the first step', () => {
  expect([1, 2, 1000].map(constantSchedule({ learningRate }))).toEqual([0.01, 0.01, 0.01]);
});

test('the inverse square root falls to half at four times the warm-up', () => {
  const schedule = inverseSquareRootSchedule({ learningRate, warmUpSteps: 100 });
  expect(schedule(400)).toBeCloseTo(0.005, 12);
  expect(schedule(10_000)).toBeCloseTo(0.001, 12);
  expect(() => inverseSquareRootSchedule({ learningRate, warmUpSteps: 0 })).toThrow(
    'warmUpSteps must be 1 or more; got 0',
  );
});

test('the cosine is halfway down in the middle and stays at its final share', () => {
  const schedule = cosineSchedule({ learningRate, warmUpSteps: 10, totalSteps: 110, finalShare: 0.1 });
  expect(schedule(60)).toBeCloseTo(0.0055, 12);
  expect(schedule(35)).toBeCloseTo(0.01 * (0.1 + 0.9 * 0.5 * (1 + Math.SQRT1_2)), 12);
  expect([110, 111, 5000].map((step) => schedule(step).toFixed(12))).toEqual(new Array(3).fill('0.001000000000'));
});

test('the line waits at the peak, then falls evenly', () => {
  const schedule = linearSchedule({ learningRate, warmUpSteps: 2, constantSteps: 3, totalSteps: 9, finalShare: 0.2 });
  expect([3, 4, 5].map(schedule)).toEqual([0.01, 0.01, 0.01]);
  expect([6, 7, 8, 9, 10].map((step) => +schedule(step).toFixed(6))).toEqual([0.008, 0.006, 0.004, 0.002, 0.002]);
});

test('the exponential falls by its rate every decaySteps', () => {
  const schedule = exponentialSchedule({ learningRate, decayRate: 0.5, decaySteps: 10 });
  expect([10, 20, 25].map((step) => +schedule(step).toFixed(9))).toEqual([
    0.005,
    0.0025,
    +(0.01 * 0.5 ** 2.5).toFixed(9),
  ]);
});

test('refuses settings out of range', () => {
  expect(() => constantSchedule({ learningRate: -1 })).toThrow(
    'constantSchedule: learningRate must be 0 or more; got -1',
  );
  expect(() => cosineSchedule({ learningRate, totalSteps: 0 })).toThrow(
    'cosineSchedule: totalSteps must be above the 0 steps before the fall; got 0',
  );
  expect(() => linearSchedule({ learningRate, warmUpSteps: 3, constantSteps: 4, totalSteps: 7 })).toThrow(
    'linearSchedule: totalSteps must be above the 7 steps before the fall; got 7',
  );
  expect(() => exponentialSchedule({ learningRate, decayRate: 0 })).toThrow('decayRate must be in (0, 1]; got 0');
});

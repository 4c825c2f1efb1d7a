// What every op's test asks: does it equal its reference in each element of each output and each gradient, do finite
// differences agree, and does it leave tensors behind? Not part of the published package.
import { add, grads, memory, mul, scalar, sum, type Tensor, tensor, tidy, zerosLike } from '@tensorflow/tfjs-core';
import { Random } from '../random.js';

/** An op of differentiable inputs; whatever else it takes (ids, lengths, options) is closed over. */
export type Op = (...inputs: Tensor[]) => Tensor | Tensor[] | { [name: string]: Tensor };

type Values = Tensor | ArrayLike<number>;

/**
 * Every element of `actual` is within tolerance·max(1, |expected|) of `expected`; NaN equals NaN, and the signs of infinities count.
 *
 * @throws Error naming the first element that differs
 */
export function expectClose(actual: Values, expected: Values, tolerance = 1e-5, what = 'values'): void {
  const [a, e] = [valuesOf(actual), valuesOf(expected)];
  if (isTensor(actual) && isTensor(expected) && actual.shape.join() !== expected.shape.join()) {
    throw new Error(`${what}: shape [${actual.shape}], expected [${expected.shape}]`);
  }
  if (a.length !== e.length) throw new Error(`${what}: ${a.length} elements, expected ${e.length}`);
  for (let i = 0; i < e.length; i++) {
    const [x, y] = [a[i] as number, e[i] as number];
    if (Object.is(x, y) || x === y) continue;
    if (!(Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y)))) {
      throw new Error(`${what}: element ${i} of ${e.length} is ${x}, expected ${y} (tolerance ${tolerance})`);
    }
  }
}

/** Compares an op with its reference: every output, and the gradient of every input under the same random output gradients. */
export function expectSame(op: Op, reference: Op, inputs: Tensor[], tolerance = 1e-4, seed = 1): void {
  tidy(() => {
    const [actual, expected] = [outputsOf(op(...inputs)), outputsOf(reference(...inputs))];
    if (actual.length !== expected.length) {
      throw new Error(`${actual.length} outputs, expected ${expected.length}`);
    }
    for (const [i, y] of expected.entries()) expectClose(actual[i]!, y, tolerance, `output ${i}`);
    if (inputs.length === 0) return;
    const [ours, theirs] = [gradientsOf(op, inputs, seed), gradientsOf(reference, inputs, seed)];
    for (const [i, d] of theirs.entries()) expectClose(ours[i]!, d, tolerance, `gradient of input ${i}`);
  });
}

/**
 * Compares an op's gradients with central differences of Σ output·weight, in float32: steps of 2⁻⁷ and a tolerance to match.
 * Inputs should be small (some dozens of elements) and lie away from kinks.
 */
export function expectFiniteDifferences(op: Op, inputs: Tensor[], tolerance = 5e-3, seed = 1): void {
  const step = 2 ** -7;
  tidy(() => {
    const gradients = gradientsOf(op, inputs, seed);
    for (const [i, input] of inputs.entries()) {
      const x = input.dataSync().slice() as Float32Array;
      const valueAt = (j: number, shift: number): number =>
        tidy(() => {
          const moved = Float32Array.from(x);
          moved[j]! += shift;
          const shifted = inputs.map((t, n) => (n === i ? tensor(moved, input.shape, 'float32') : t));
          return weightedTotal(op, shifted, seed).dataSync()[0]!;
        });
      const slopes = Float32Array.from(x, (_, j) => (valueAt(j, step) - valueAt(j, -step)) / (2 * step));
      expectClose(gradients[i]!, slopes, tolerance, `gradient of input ${i} against finite differences`);
    }
  });
}

/** Runs `use`, gives back its result (a host value) and expects as many tensors and bytes as before. */
export function expectNoTensorsLeft<T>(use: () => T): T {
  const before = memory();
  const result = use();
  const after = memory();
  if (after.numTensors !== before.numTensors || after.numBytes !== before.numBytes) {
    throw new Error(
      `${after.numTensors - before.numTensors} tensors (${after.numBytes - before.numBytes} bytes) left behind`,
    );
  }
  return result;
}

/** Gradients of Σ output·weight, aligned with the inputs; zeros where no output depends on one. */
export function gradientsOf(op: Op, inputs: Tensor[], seed = 1): Tensor[] {
  const found = grads((...xs: Tensor[]) => weightedTotal(op, xs, seed))(inputs);
  return inputs.map((x, i) => found[i] ?? zerosLike(x));
}

/** Σ output·weight over all float outputs, the weights drawn from `seed`. */
function weightedTotal(op: Op, inputs: Tensor[], seed: number): Tensor {
  const outputs = outputsOf(op(...inputs)).filter((y) => y.dtype === 'float32');
  const terms = outputs.map((y, i) => sum(mul(y, randomTensor(y.shape, seed + i))));
  return terms.reduce((total, term) => add(total, term), scalar(0));
}

/** A float tensor of numbers from U(low, high). */
export function randomTensor(shape: number[], seed: number, low = -1, high = 1): Tensor {
  const random = new Random(seed);
  const size = shape.reduce((product, n) => product * n, 1);
  return tensor(
    Float32Array.from({ length: size }, () => random.uniform(low, high)),
    shape,
    'float32',
  );
}

function outputsOf(result: ReturnType<Op>): Tensor[] {
  if (isTensor(result)) return [result];
  return Array.isArray(result) ? result : Object.values(result);
}

function isTensor(value: unknown): value is Tensor {
  return typeof value === 'object' && value !== null && 'dataId' in value;
}

function valuesOf(values: Values): ArrayLike<number> {
  return isTensor(values) ? values.dataSync() : values;
}

import {
  add,
  customGrad,
  dispose,
  floor,
  grad,
  memory,
  mul,
  type Scalar,
  scalar,
  split,
  square,
  sum,
  type Tensor,
  tensor,
  topk,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { parameter } from '../nn/parameter.js';
import { expectClose, expectNoTensorsLeft } from '../testing/index.js';
import { valueAndGradients } from './value-and-gradients.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const parameters = () => [parameter(Float32Array.of(1, 2), [2]), parameter(Float32Array.of(3, 4), [2])] as const;

test('gives the value and the gradients in the order of the parameters', () => {
  const [a, b] = parameters();
  const { value, gradients } = valueAndGradients(() => sum(mul(square(a), b)) as Scalar, [b, a]);
  expect(value.dataSync()[0]).toBe(19);
  expectClose(gradients[0] as Tensor, [1, 4]);
  expectClose(gradients[1] as Tensor, [6, 16]);
});

test('a parameter that the value does not depend on gets zeros', () => {
  const [a, b] = parameters();
  const { gradients } = valueAndGradients(() => sum(a) as Scalar, [a, b]);
  expectClose(gradients[1] as Tensor, [0, 0]);
});

test('adds up over all ways from a parameter to the value, and ops beside the way need no gradient', () => {
  const [a, b] = parameters();
  const { gradients } = valueAndGradients(() => {
    floor(a);
    const [first, second] = split(mul(a, b), 2) as [Tensor, Tensor];
    return sum(add(mul(first, second), mul(a, a))) as Scalar; // (3a₁·4a₂) twice + Σ a²
  }, [a]);
  expectClose(gradients[0] as Tensor, [50, 28]);
});

test('an op that hands one gradient to two inputs changes neither by adding to the other', () => {
  const handsOn = customGrad((...inputs) => ({
    value: add(...(inputs as [Tensor, Tensor])),
    gradFunc: (dy: Tensor) => [dy, dy],
  }));
  const [a, b] = parameters();
  const loss = () => {
    const first = sum(mul(handsOn(a, b), tensor([5, 7])));
    return add(first, sum(mul(handsOn(a, a), tensor([1, 2])))) as Scalar;
  };
  const { value, gradients } = valueAndGradients(loss, [a, b]);
  expect([...gradients[0]!.dataSync()]).toEqual([5 + 2, 7 + 4]);
  expect([...gradients[1]!.dataSync()]).toEqual([5, 7]);
  dispose([value, ...gradients, a, b]);
});

test('names the op on the way that has no gradient', () => {
  const [a] = parameters();
  const before = memory().numTensors;
  expect(() => valueAndGradients(() => sum(topk(a, 1).values) as Scalar, [a])).toThrow('TopK');
  expect(memory().numTensors).toBe(before);
});

test('works within another gradient', () => {
  const [a, b] = parameters();
  const outer = grad((x: Tensor) => {
    const { value, gradients } = valueAndGradients(() => sum(mul(square(a), b)) as Scalar, [a]);
    return sum(mul(x, mul(value, gradients[0] as Tensor)));
  });
  expectClose(outer(scalar(1)), [19 * (6 + 16)]);
});

test('no two gradients share memory', () => {
  const [a, b] = parameters();
  const { gradients } = valueAndGradients(() => sum(add(a, b)) as Scalar, [a, b]);
  expect(gradients[0]?.dataId).not.toBe(gradients[1]?.dataId);
});

test('leaves only value and gradients behind, and nothing when the pass throws', () => {
  const [a, b] = parameters();
  expectNoTensorsLeft(() => {
    const { value, gradients } = valueAndGradients(() => sum(mul(square(a), b)) as Scalar, [a, b]);
    for (const tensor of [value, ...gradients]) tensor.dispose();
  });
  const before = memory().numTensors;
  const broken = () => {
    sum(mul(square(a), b));
    throw new Error('in the middle');
  };
  expect(() => valueAndGradients(broken, [a, b])).toThrow('in the middle');
  expect(memory().numTensors).toBe(before);
});

test('refuses a value that is no scalar, and an empty list', () => {
  const [a] = parameters();
  expect(() => valueAndGradients(() => square(a) as Scalar, [a])).toThrow(
    'valueAndGradients: f must return a scalar; got shape [2]',
  );
  expect(() => valueAndGradients(() => sum(a) as Scalar, [])).toThrow('there must be at least one parameter');
});

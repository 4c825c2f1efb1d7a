import {
  add,
  addN,
  customGrad,
  dispose,
  floor,
  grad,
  memory,
  mul,
  reshape,
  type Scalar,
  scalar,
  slice,
  split,
  square,
  sum,
  type Tensor,
  type Tensor2D,
  type Tensor3D,
  tanh,
  tensor,
  topk,
  variableGrads,
  zeros,
  zerosLike,
} from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { parameter } from '../nn/parameter.js';
import { embedding } from '../ops/embedding.js';
import { gruSequence } from '../ops/gru-sequence.js';
import { linear } from '../ops/linear.js';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import { expectClose, expectNoTensorsLeft, randomTensor } from '../testing/index.js';
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

test("is refused in a customGrad's forward function, where tfjs records no ops", () => {
  const [a] = parameters();
  const within = customGrad(() => {
    const { value } = valueAndGradients(() => sum(square(a)) as Scalar, [a]);
    return { value, gradFunc: (dy: Tensor) => dy };
  });
  const message = /^valueAndGradients: inside the forward function of a tf\.customGrad/;
  expectNoTensorsLeft(() => {
    expect(() => within(a)).toThrow(message);
    expect(() => valueAndGradients(() => within(a) as Scalar, [a])).toThrow(message);
  });
  const { gradients } = valueAndGradients(() => sum(square(a)) as Scalar, [a]);
  expectClose(gradients[0] as Tensor, [2, 4]);
});

test('a gradient of another type or shape than its input is refused', () => {
  const [a] = parameters();
  const withGradient = (gradient: () => Tensor) => customGrad(() => ({ value: sum(a), gradFunc: gradient }));
  const [integers, scalars] = [withGradient(() => tensor([3, 4], [2], 'int32')), withGradient(() => tensor([3]))];
  const rule = 'Cannot compute gradient: a customGrad must give one of floats [2] for its input';
  expect(() => valueAndGradients(() => integers(a) as Scalar, [a])).toThrow(`${rule} 0; got int32 [2]`);
  expect(() => valueAndGradients(() => scalars(a) as Scalar, [a])).toThrow(`${rule} 0; got float32 [1]`);
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
  const biases = valueAndGradients(() => {
    const [x, w] = [tensor([[1, 1]]), tensor([1, 0, 0, 1], [2, 2])];
    const before = add(mul(linear(x, w, a), 10), mul(linear(x, w, b), 100)); // walked after handsOn, whose gradient a and b share
    return add(sum(before), sum(mul(handsOn(a, b), tensor([5, 7])))) as Scalar;
  }, [a, b]);
  expect([...biases.gradients[0]!.dataSync()]).toEqual([15, 17]);
  expect([...biases.gradients[1]!.dataSync()]).toEqual([105, 107]);
  dispose([value, ...gradients, biases.value, ...biases.gradients, a, b]);
});

test('an op that gives two inputs one new tensor as their gradient changes neither by adding to the other', () => {
  const twice = customGrad((...inputs) => ({
    value: add(...(inputs as [Tensor, Tensor])),
    gradFunc: (dy: Tensor) => {
      const d = mul(dy, 2);
      return [d, d];
    },
  }));
  const [a, b] = parameters();
  const loss = () => {
    const first = sum(mul(twice(a, b), tensor([5, 7]))); // walked last, when a and b have gradients already
    return add(first, add(sum(mul(a, tensor([1, 2]))), sum(mul(b, tensor([3, 4]))))) as Scalar;
  };
  const { value, gradients } = valueAndGradients(loss, [a, b]);
  expect([...gradients[0]!.dataSync()]).toEqual([10 + 1, 14 + 2]);
  expect([...gradients[1]!.dataSync()]).toEqual([10 + 3, 14 + 4]);
  dispose([value, ...gradients, a, b]);
});

test('one new gradient for three inputs, some of them the same, adds up', () => {
  const op = customGrad((...inputs) => ({
    value: addN(inputs.slice(0, -1) as Tensor[]), // without the last argument, tfjs' save
    gradFunc: (dy: Tensor) => {
      const d = mul(dy, 2);
      return [d, d, d];
    },
  }));
  const [a, b] = parameters();
  for (const [inputs, wanted] of [
    [() => [a, a, b], [4, 2]],
    [() => [a, b, a], [4, 2]],
    [() => [b, a, a], [4, 2]],
    [() => [a, a, a], [6, 0]],
    [() => [a, a, mul(b, 5)], [4, 10]],
  ] as [() => Tensor[], [number, number]][]) {
    const { value, gradients } = valueAndGradients(() => sum(op(...inputs())) as Scalar, [a, b]);
    for (const [i, want] of wanted.entries()) expect([...gradients[i]!.dataSync()]).toEqual([want, want]);
    dispose([value, ...gradients]);
  }
});

test('a gradient that was there before is neither changed nor handed out', () => {
  const [a, b] = parameters();
  const constant = tensor([10, 20]);
  const scaled = customGrad((x) => ({ value: mul(x as Tensor, 1), gradFunc: () => constant }));
  const dot = customGrad((x, y) => ({ value: sum(mul(x as Tensor, y as Tensor)), gradFunc: () => [b, a] }));
  for (const [loss, wanted] of [
    [
      () => add(sum(scaled(a)), sum(mul(a, 3))),
      [
        [13, 23],
        [0, 0],
      ],
    ],
    [
      () => sum(scaled(a)),
      [
        [10, 20],
        [0, 0],
      ],
    ],
    [
      () => add(dot(a, b), sum(add(a, b))),
      [
        [4, 5],
        [2, 3],
      ],
    ],
  ] as [() => Scalar, number[][]][]) {
    const { value, gradients } = valueAndGradients(loss, [a, b]);
    expect(gradients.map((gradient) => [...gradient.dataSync()])).toEqual(wanted);
    dispose([value, ...gradients]);
    expect([a, b, constant].map((kept) => [...kept.dataSync()])).toEqual([
      [1, 2],
      [3, 4],
      [10, 20],
    ]);
  }
});

describe('gradients of what several ops read add up', () => {
  const draw = (shape: number[], seed: number) => {
    const drawn = randomTensor(shape, seed);
    return parameter(drawn.dataSync<'float32'>() as Float32Array, shape);
  };
  const [B, I, H, V] = [3, 4, 4, 7];
  const weights = () => ({
    table: draw([V, I], 1),
    weightIh: draw([3 * H, I], 2),
    weightHh: draw([3 * H, H], 3),
    biasIh: draw([3 * H], 4),
    biasHh: draw([3 * H], 5),
    weight: draw([H, H], 6),
    bias: draw([H], 7),
  });
  type Weights = ReturnType<typeof weights>;
  const loops: Record<string, (w: Weights) => Tensor> = {
    'a loop of steps': (w) => {
      let h = zeros([B, H]) as Tensor2D;
      for (let t = 0; t < 4; t++) {
        const x = embedding(w.table, tensor([t, 2, 2], [B], 'int32')) as Tensor2D;
        h = gruSequence(tanh(linear(x, w.weight, w.bias)) as Tensor2D, h, recurrent(w)).state;
        h = tanh(linear(h, w.weight, w.bias)) as Tensor2D;
      }
      return h;
    },
    'steps whose input is their state': (w) => {
      let h = embedding(w.table, tensor([1, 2, 3], [B], 'int32')) as Tensor2D;
      for (let t = 0; t < 3; t++) h = gruSequence(h, h, recurrent(w), { resetAfter: t % 2 === 0 }).state;
      return h;
    },
    'sequences from one table, with lengths': (w) => {
      const read = (ids: number[], lengths: number[], reverse: boolean) =>
        gruSequence(
          { table: w.table as unknown as Tensor2D, ids: Int32Array.from(ids), shape: [B, 3], paddingId: 0 },
          null,
          recurrent(w),
          { lengths, reverse },
        ).output;
      return add(
        read([1, 2, 3, 4, 4, 0, 1, 0, 0], [3, 2, 1], false),
        read([6, 1, 1, 0, 0, 0, 2, 2, 2], [3, 0, 3], true),
      );
    },
    'two layers over one sequence, and over one step of it': (w) => {
      const x = tanh(embedding(w.table, tensor([1, 2, 3, 4, 5, 6, 1, 1, 2], [B, 3], 'int32'))) as Tensor3D;
      const step = reshape(slice(x, [0, 1, 0], [B, 1, I]), [B, I]) as Tensor2D;
      const states = [x, x, step, step].map((read) => gruSequence(read, null, recurrent(w)).state);
      return add(add(states[0]!, mul(2, states[1]!)), add(mul(3, states[2]!), mul(4, states[3]!)));
    },
    'one layer that reads another’s weight as its input': (w) =>
      add(linear(w.weight, w.weight, w.bias), linear(w.weight, w.weight)),
  };
  const recurrent = ({ weightIh, weightHh, biasIh, biasHh }: Weights) =>
    ({ weightIh, weightHh, biasIh, biasHh }) as unknown as RecurrentWeights;

  test.each(Object.keys(loops))('%s: as on tfjs’ own walk', (name) => {
    const w = weights();
    const parameters = Object.values(w);
    const loss = () => {
      const y = loops[name]!(w);
      return sum(mul(y, randomTensor(y.shape, 9))) as Scalar;
    };
    const { value, gradients } = expectNoOthersLeft(() => valueAndGradients(loss, parameters), parameters.length + 1);
    const expected = variableGrads(loss, parameters as never[]).grads;
    for (const [i, parameter] of parameters.entries()) {
      const wanted = expected[(parameter as unknown as { name: string }).name] ?? zerosLike(parameter);
      expectClose(gradients[i]!, wanted, 1e-5, Object.keys(w)[i]!);
    }
    dispose([value, ...gradients, ...Object.values(expected), ...parameters]);
  });
});

/** What `make` returns, after which so many tensors more are there than before. */
function expectNoOthersLeft<T>(make: () => T, count: number): T {
  const before = memory().numTensors;
  const made = make();
  expect(memory().numTensors - before).toBe(count);
  return made;
}

test('names the op on the way that has no gradient', () => {
  const [a] = parameters();
  const before = memory().numTensors;
  expect(() => valueAndGradients(() => sum(topk(a, 1).values) as Scalar, [a])).toThrow('TopK');
  expect(memory().numTensors).toBe(before);
});

test('a gradient within it is differentiated too', () => {
  const [v] = parameters();
  const cube = (x: Tensor) => sum(mul(mul(x, x), x));
  for (const [of, wanted] of [
    [() => v, [6, 12]],
    [() => mul(v, 1), [6, 12]],
    [() => mul(v, 2), [24, 48]],
  ] as [() => Tensor, number[]][]) {
    const { value, gradients } = expectNoOthersLeft(
      () => valueAndGradients(() => sum(grad(cube)(of())) as Scalar, [v]),
      2,
    );
    expectClose(gradients[0]!, wanted);
    dispose([value, ...gradients]);
  }
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

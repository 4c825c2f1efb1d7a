// tfjs records ops on a tape; this walks it. tfjs' own walk compares every input of every op with every parameter and copies
// the tape first, and what an op saves for its gradient is recorded as an op too: for a small model that costs as much as its kernels.
import { add, engine, type Scalar, scalar, type Tensor, tidy, util, Variable } from '@tensorflow/tfjs-core';
import { address } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';

type Tape = ReturnType<typeof engine>['state']['activeTape'];

/**
 * y = f() and dy/dx for each x; undefined where y does not depend on x. Runs within a tidy.
 *
 * @throws Error when an op on the way from x to y has no gradient or one of another type or shape, and whatever f throws: the tape is freed
 */
export function backpropagate(
  f: () => Scalar,
  xs: readonly Tensor[],
): { value: Scalar; gradients: (Tensor | undefined)[] } {
  const { state } = engine();
  if (state.gradientDepth > 0) {
    const { value, grads } = engine().gradients(f, [...xs], undefined, true); // the tape is another gradient's too
    return { value, gradients: grads };
  }
  let tape: Tape = [];
  try {
    let value: Scalar;
    state.activeTape = tape;
    state.gradientDepth = 1;
    const { saveTensorsForBackwardMode: clones } = internals();
    internals().saveTensorsForBackwardMode = aliases;
    try {
      value = tidy(f);
    } finally {
      internals().saveTensorsForBackwardMode = clones;
      state.gradientDepth = 0;
    }
    tape = state.activeTape;
    return { value, gradients: walk(tape, xs, value, scalar(1)) };
  } finally {
    for (const { saved } of tape) for (const tensor of saved ?? []) if (!isParameter(tensor)) tensor.dispose();
    state.activeTape = null as unknown as Tape; // as tfjs leaves it
  }
}

/** What tfjs' types leave out: how it keeps what an op saves for its gradient, and the number of the next tensor. */
interface Internals {
  saveTensorsForBackwardMode(tensors: Tensor[]): Tensor[];
  nextTensorId(): number;
}

function internals(): Internals {
  return engine() as unknown as Internals;
}

/** Parameters stay as they are until the walk has ended. */
function isParameter(tensor: Tensor): boolean {
  return tensor instanceof Variable;
}

/** Other tensors of the same memory, which live until the tape is freed. */
function aliases(tensors: Tensor[]): Tensor[] {
  return tensors.map((tensor) => {
    if (isParameter(tensor)) return tensor;
    engine().backend.incRef(tensor.dataId);
    const alias = engine().makeTensorFromTensorInfo(tensor);
    Object.assign(alias, { id: tensor.id }); // the same to the tape, should a gradient within this one use it
    return engine().keep(alias);
  });
}

/** The chain rule from the last op to the first. */
function walk(tape: Tape, xs: readonly Tensor[], y: Tensor, dy: Tensor): (Tensor | undefined)[] {
  const fromX = new Set(xs.map((x) => x.id));
  const nodes = tape.filter(({ inputs, outputs }) => {
    const depends = Object.values(inputs).some(({ id }) => fromX.has(id));
    if (depends) for (const { id } of outputs) fromX.add(id);
    return depends;
  });
  const began = nextId();
  const gradients = new Map<number, Tensor>([[y.id, dy]]);
  for (const { kernelName, inputs, outputs, gradient } of nodes.reverse()) {
    if (!outputs.some(({ id }) => gradients.has(id))) continue;
    if (!gradient) throw new Error(`Cannot compute gradient: gradient function not found for ${kernelName}.`);
    const asked = Object.keys(inputs).filter((name) => fromX.has(inputs[name]!.id));
    const first = nextId();
    const dxs = tidy(() => {
      const byInput = gradient(outputs.map(({ id }) => gradients.get(id) as Tensor)); // tfjs makes zeros of the undefined ones
      return asked.map((name) => byInput[name]!());
    });
    for (const [i, name] of asked.entries()) {
      const [dx, { id, shape }] = [dxs[i]!, inputs[name]!];
      if (dx.dtype !== 'float32' || !util.arraysEqual(dx.shape, shape)) {
        throw new Error(
          `Cannot compute gradient: ${opOf(kernelName)} must give one of floats [${shape}] for its input ${name}; got ${dx.dtype} [${dx.shape}]`,
        );
      }
      const before = gradients.get(id);
      const madeHere = dx.id > first && timesIn(dxs, dx) === 1;
      gradients.set(id, before ? plus(before, dx, madeHere) : dx);
      if (before && before.id > began && !timesIn([...gradients.values(), ...dxs.slice(i + 1)], before))
        before.dispose();
    }
  }
  return xs.map(({ id }) => gradients.get(id));
}

/** What a kernel is called; a custom gradient bears the name of the scope that it ran in. */
function opOf(kernelName: string): string {
  return kernelName === 'unnamed scope' ? 'a customGrad' : kernelName;
}

/** a + b; on wasm in b's memory where b is this op's own gradient, and that memory no other tensor's. */
function plus(a: Tensor, b: Tensor, madeHere: boolean): Tensor {
  const { backend, backendName } = engine();
  const inPlace = madeHere && backendName === 'wasm' && b.dtype === 'float32' && backend.refCount(b.dataId) === 1;
  if (!inPlace) return add(a, b);
  kernels().scaleAdd(address(a), address(b), b.size, 1, 1);
  return b;
}

/** An id of tfjs': tensors made before have smaller ones, those made later larger ones. */
export function nextId(): number {
  return internals().nextTensorId();
}

function timesIn(all: Iterable<Tensor>, tensor: Tensor): number {
  let times = 0;
  for (const other of all) if (other === tensor) times++;
  return times;
}

// tfjs records ops on a tape; this walks it. tfjs' own walk compares every input of every op with every parameter and copies
// the tape first, and what an op saves for its gradient is recorded as an op too: for a small model that costs as much as its kernels.
import { add, engine, type Scalar, scalar, type Tensor, tidy, Variable } from '@tensorflow/tfjs-core';
import { address } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';

type Tape = ReturnType<typeof engine>['state']['activeTape'];

/**
 * y = f() and dy/dx for each x; undefined where y does not depend on x. Runs within a tidy.
 *
 * @throws Error when an op on the way from x to y has no gradient, and whatever f throws: the tape is freed
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
    const { saveTensorsForBackwardMode: clones } = recorder();
    recorder().saveTensorsForBackwardMode = aliases;
    try {
      value = tidy(f);
    } finally {
      recorder().saveTensorsForBackwardMode = clones;
      state.gradientDepth = 0;
    }
    tape = state.activeTape;
    return { value, gradients: walk(tape, xs, value, scalar(1)) };
  } finally {
    for (const { saved } of tape) for (const tensor of saved ?? []) if (!isParameter(tensor)) tensor.dispose();
    state.activeTape = null as unknown as Tape; // as tfjs leaves it
  }
}

/** How tfjs keeps what an op saves for its gradient; its types leave that out. */
interface Recorder {
  saveTensorsForBackwardMode(tensors: Tensor[]): Tensor[];
}

function recorder(): Recorder {
  return engine() as unknown as Recorder;
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
    return engine().keep(engine().makeTensorFromTensorInfo(tensor));
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
  const gradients = new Map<number, Tensor>([[y.id, dy]]);
  for (const { kernelName, inputs, outputs, gradient } of nodes.reverse()) {
    if (!outputs.some(({ id }) => gradients.has(id))) continue;
    if (!gradient) throw new Error(`Cannot compute gradient: gradient function not found for ${kernelName}.`);
    const asked = Object.keys(inputs).filter((name) => fromX.has(inputs[name]!.id));
    const dxs = tidy(() => {
      const byInput = gradient(outputs.map(({ id }) => gradients.get(id) as Tensor)); // tfjs makes zeros of the undefined ones
      return asked.map((name) => byInput[name]!());
    });
    for (const [i, name] of asked.entries()) {
      const [dx, { id }] = [dxs[i]!, inputs[name]!];
      const before = gradients.get(id);
      gradients.set(id, before ? plus(before, dx, [...gradients.values(), ...dxs]) : dx);
      if (before && !timesIn(gradients.values(), before)) before.dispose();
    }
  }
  return xs.map(({ id }) => gradients.get(id));
}

/** a + b; on wasm in b's memory where that is no other tensor's, and b no other gradient among all. */
function plus(a: Tensor, b: Tensor, all: Tensor[]): Tensor {
  const { backend, backendName } = engine();
  const inPlace = backendName === 'wasm' && b.dtype === 'float32' && backend.refCount(b.dataId) === 1;
  if (!inPlace || timesIn(all, b) > 1) return add(a, b);
  kernels().scaleAdd(address(a), address(b), b.size, 1, 1);
  return b;
}

function timesIn(all: Iterable<Tensor>, tensor: Tensor): number {
  let times = 0;
  for (const other of all) if (other === tensor) times++;
  return times;
}

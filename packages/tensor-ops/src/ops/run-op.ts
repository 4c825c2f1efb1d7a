import {
  engine,
  getKernel,
  type NamedAttrMap,
  type NamedTensorMap,
  type Tensor,
  type TensorInfo,
  tidy,
} from '@tensorflow/tfjs-core';

/** Names of inputs that are not of floats; the op itself checks them. */
const NOT_FLOATS = new Set(['ids', 'mask']);

/**
 * Runs the kernel `name` where the running backend has it, else the same op composed of tfjs ops. Both are differentiable:
 * the kernel by its registered gradient, the composition on tfjs' tape.
 *
 * @throws Error naming an input that has to be of floats and is not
 */
export function runOp<T extends Tensor | Tensor[]>(
  name: string,
  inputs: NamedTensorMap,
  attributes: NamedAttrMap,
  reference: () => T,
): T {
  const backendName = engine().backendName || requireBackend(calledAs(name));
  checkFloats(calledAs(name), inputs);
  if (getKernel(name, backendName)) return engine().runKernel(name, inputs, attributes) as T;
  return composed(reference);
}

/** SeqloomGruSequence → gruSequence. */
export function calledAs(kernelName: string): string {
  return kernelName.replace(/^Seqloom(.)/, (_, first: string) => first.toLowerCase());
}

/** @throws Error naming `caller` and the first input that has to be of floats and is not: a kernel would take its bits for floats */
export function checkFloats(caller: string, inputs: NamedTensorMap): void {
  for (const name in inputs) {
    const { dtype, shape } = inputs[name]!;
    if (dtype !== 'float32' && !NOT_FLOATS.has(name)) {
      throw new Error(`${caller}: ${name} must be of floats; got ${dtype} [${shape}]`);
    }
  }
}

/** The running backend's name. @throws Error naming `caller` when none runs */
export function requireBackend(caller: string): string {
  const { backendName } = engine();
  if (!backendName) throw new Error(`${caller}: no backend runs yet; call await useBackend() first`);
  return backendName;
}

/** An output that only the op's gradient reads: tfjs makes zeros for every gradient that an output lacks, so it has no elements. */
export function forGradient(output: TensorInfo): TensorInfo {
  return { ...output, shape: [0] };
}

function composed<T extends Tensor | Tensor[]>(reference: () => T): T {
  return tidy(reference);
}

import {
  engine,
  getKernel,
  type NamedAttrMap,
  type NamedTensorMap,
  type Tensor,
  type TensorInfo,
  tidy,
} from '@tensorflow/tfjs-core';

/**
 * Runs the kernel `name` where the running backend has it, else the same op composed of tfjs ops. Both are differentiable:
 * the kernel by its registered gradient, the composition on tfjs' tape.
 */
export function runOp<T extends Tensor | Tensor[]>(
  name: string,
  inputs: NamedTensorMap,
  attributes: NamedAttrMap,
  reference: () => T,
): T {
  const backendName = engine().backendName || requireBackend(calledAs(name));
  if (getKernel(name, backendName)) return engine().runKernel(name, inputs, attributes) as T;
  return composed(reference);
}

/** SeqloomGruSequence → gruSequence. */
export function calledAs(kernelName: string): string {
  return kernelName.replace(/^Seqloom(.)/, (_, first: string) => first.toLowerCase());
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

import { dispose, engine, mul, square, sum, type Tensor, tidy } from '@tensorflow/tfjs-core';
import { checkFloats } from '../ops/run-op.js';
import { address } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';

/**
 * √Σ‖g‖² over all gradients, in double precision on wasm.
 *
 * @returns NaN or Infinity when a gradient has them
 * @throws Error when a gradient is not of floats
 */
export function globalNorm(gradients: readonly Tensor[]): number {
  checkGradients('globalNorm', gradients);
  return normOf(gradients);
}

/**
 * Scales all gradients by min(1, maxNorm / (norm + 1e-6)), in place, as PyTorch's clip_grad_norm_ does: on wasm their memory,
 * elsewhere the elements of the array. Gradients with NaN or Infinity stay as they are: look at the norm.
 *
 * @param gradients as `valueAndGradients` gives them: no two may share memory
 * @param given the norm of more gradients than these, where several threads clip their parts of a whole
 * @returns the norm before clipping
 * @throws Error when maxNorm is not above zero, or a gradient not of floats
 */
export function clipByGlobalNorm(gradients: Tensor[], maxNorm: number, given?: number): number {
  if (!(maxNorm > 0)) throw new Error(`clipByGlobalNorm: maxNorm must be above 0; got ${maxNorm}`);
  checkGradients('clipByGlobalNorm', gradients);
  const norm = given ?? normOf(gradients);
  const factor = maxNorm / (norm + 1e-6);
  if (factor < 1 && Number.isFinite(norm)) scaleAll(gradients, factor);
  return norm;
}

function checkGradients(caller: string, gradients: readonly Tensor[]): void {
  for (const [i, gradient] of gradients.entries()) checkFloats(caller, { [`gradient ${i}`]: gradient });
}

function normOf(gradients: readonly Tensor[]): number {
  let squares = 0;
  for (const gradient of gradients) squares += sumOfSquares(gradient);
  return Math.sqrt(squares);
}

function sumOfSquares(x: Tensor): number {
  if (engine().backendName === 'wasm') return kernels().sumOfSquares(address(x), x.size);
  return tidy(() => sum(square(x)).dataSync()[0] as number);
}

function scaleAll(gradients: Tensor[], factor: number): void {
  for (const [i, gradient] of gradients.entries()) {
    if (engine().backendName === 'wasm') {
      kernels().scaleBy(address(gradient), address(gradient), gradient.size, factor);
    } else {
      gradients[i] = tidy(() => mul(gradient, factor));
      dispose(gradient);
    }
  }
}

export {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  gradientsOf,
  type Op,
  randomTensor,
} from './compare.js';
export { randomMask } from './random-mask.js';
export { forSizes } from './sizes.js';

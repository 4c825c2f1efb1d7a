export {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  gradientsOf,
  type Op,
  randomTensor,
} from './compare.js';
export { forSizes } from './sizes.js';

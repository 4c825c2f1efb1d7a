import { batchMatMul } from './batch-mat-mul.js';
import { cast } from './cast.js';
import { concat } from './concat.js';
import { conv2d } from './conv2d.js';
import { conv2dBackpropFilter, conv2dBackpropInput } from './conv2d-gradients.js';
import { depthwiseBackpropFilter, depthwiseBackpropInput } from './depthwise-conv2d.js';
import { einsum } from './einsum.js';
import { clipByValue, exp, tanh } from './elementwise.js';
import { emptyReductions } from './empty-reductions.js';
import { fusedMatMul } from './fused-mat-mul.js';
import { gather } from './gather.js';
import type { Replacement } from './replacement.js';
import { slice } from './slice.js';
import { softmax } from './softmax.js';
import { splitV, unpack } from './split.js';
import { sum } from './sum.js';
import { tile } from './tile.js';
import { unsortedSegmentSum } from './unsorted-segment-sum.js';

/** What we put in place of tfjs' own wasm kernels, and what we add to them. */
export const replacements: Replacement[] = [
  batchMatMul,
  cast,
  clipByValue,
  concat,
  conv2d,
  conv2dBackpropFilter,
  conv2dBackpropInput,
  depthwiseBackpropFilter,
  depthwiseBackpropInput,
  einsum,
  ...emptyReductions,
  exp,
  fusedMatMul,
  gather,
  slice,
  softmax,
  splitV,
  sum,
  tanh,
  tile,
  unpack,
  unsortedSegmentSum,
];

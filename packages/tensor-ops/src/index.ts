export { type BackendInfo, currentBackend, registerGradients, useBackend } from './backend.js';
export type { StateDict, StateEntry } from './io/state-dict.js';
export type { DropoutKey } from './nn/dropout-key.js';
export { Linear, type LinearOptions } from './nn/linear.js';
export { Module } from './nn/module.js';
export {
  constantParameter,
  normalParameter,
  type Parameter,
  parameter,
  uniformParameter,
} from './nn/parameter.js';
export { linear } from './ops/linear.js';
export { deriveSeed, Random } from './random.js';

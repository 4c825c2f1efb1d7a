export { type BackendInfo, currentBackend, registerGradients, useBackend } from './backend.js';
export { linear } from './ops/linear.js';

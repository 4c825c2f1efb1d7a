// Starts the worker from TypeScript, for tests and for running from a checkout.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');

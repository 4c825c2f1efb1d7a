import { expect, test } from 'vitest';

/** tfjs leaves this on the global object when it is loaded. */
const tfjsIsLoaded = () => '_tfengine' in globalThis;

test('the command line loads tfjs when a command needs it, not before', async () => {
  const { createProgram } = await import('./program.js');
  expect(createProgram().commands.length).toBeGreaterThan(10);
  expect(tfjsIsLoaded()).toBe(false);
  await import('./run/model-folder.js');
  expect(tfjsIsLoaded()).toBe(true);
});

import { describeStep, type ProgressView } from './view.js';

const secondsBetweenLines = 10;

/** Plain lines, one every ten seconds, for logs and pipes. */
export function lineView(stream: NodeJS.WritableStream, now: () => number = Date.now): ProgressView {
  let next = Number.NEGATIVE_INFINITY;
  return {
    step(status) {
      if (now() < next) return;
      next = now() + secondsBetweenLines * 1000;
      const done = status.done === undefined ? '' : `${(status.done * 100).toFixed(0).padStart(3)}% · `;
      stream.write(`${done}${describeStep(status)}\n`);
    },
    note(text) {
      if (text === '') return;
      stream.write(`${text}\n`);
    },
    close() {},
  };
}

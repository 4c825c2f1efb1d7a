import type { ProgressView } from './view.js';

/** One JSON object a line: every step and every note, for machines. */
export function jsonView(stream: NodeJS.WritableStream): ProgressView {
  const write = (fields: Readonly<Record<string, unknown>>) => {
    stream.write(`${JSON.stringify({ ...fields, time: new Date().toISOString() })}\n`);
  };
  return {
    step: (status) => write({ type: 'step', ...status, rss: process.memoryUsage.rss() }),
    note: (_, fields) => write(fields),
    close() {},
  };
}

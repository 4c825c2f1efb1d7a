import { terminalBar } from './terminal-bar.js';
import { describeStep, type ProgressView } from './view.js';

/** A bar that is drawn over, for a terminal; what stays is written above it. */
export function barView(stream: NodeJS.WriteStream): ProgressView {
  const bar = terminalBar(stream, '{bar} {percentage}% · {text}', true);
  let running = false;
  const close = () => {
    if (running) bar.stop();
    running = false;
  };
  return {
    step(status) {
      const text = describeStep(status);
      if (!running) bar.start(1, status.done ?? 0, { text });
      else bar.update(status.done ?? 0, { text });
      running = true;
    },
    note(text) {
      if (text === '') return;
      // The bar is ended, since ending it puts the cursor where it began: on its own line as long as nothing else is written.
      close();
      stream.write(`${text}\n`);
    },
    close,
  };
}

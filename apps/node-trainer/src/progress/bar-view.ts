import { Presets, SingleBar } from 'cli-progress';
import { describeStep, type ProgressView } from './view.js';

/** A bar that is drawn over, for a terminal; what stays is written above it. */
export function barView(stream: NodeJS.WriteStream): ProgressView {
  const bar = new SingleBar(
    {
      format: '{bar} {percentage}% · {text}',
      barsize: 18,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
      linewrap: false,
      fps: 5,
      stream,
    },
    Presets.shades_classic,
  );
  let running = false;
  return {
    step(status) {
      const text = describeStep(status);
      if (!running) bar.start(1, 0, { text });
      running = true;
      bar.update(status.done ?? 0, { text });
    },
    note(text) {
      if (text === '') return;
      // The bar's line is cleared first and drawn again by its next update.
      if (running) stream.write('\r\u001b[2K');
      stream.write(`${text}\n`);
    },
    close() {
      if (running) bar.stop();
      running = false;
    },
  };
}

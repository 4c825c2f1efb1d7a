import { Presets, SingleBar } from 'cli-progress';

/** A bar that is drawn over and over on a terminal; `format` may name `{bar}`, `{percentage}` and `{text}`. */
export function terminalBar(stream: NodeJS.WriteStream, format: string, hideCursor: boolean): SingleBar {
  return new SingleBar(
    {
      format,
      barsize: 18,
      hideCursor,
      clearOnComplete: true,
      gracefulExit: false,
      linewrap: false,
      fps: 5,
      stream,
    },
    Presets.shades_classic,
  );
}

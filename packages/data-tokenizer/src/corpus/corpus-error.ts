/** Where in a corpus something is wrong. Lines and bytes count from 1; `byte` counts within its line. */
export interface CorpusPosition {
  readonly file: string;
  readonly line?: number;
  readonly byte?: number;
}

/**
 * A corpus that cannot be read as asked: the message is one sentence naming file, line and rule, fit to be shown to
 * whoever wrote the file.
 */
export class CorpusError extends Error {
  override readonly name = 'CorpusError';
  readonly file: string;
  readonly line: number | undefined;
  readonly byte: number | undefined;

  constructor(position: CorpusPosition, rule: string, options?: ErrorOptions) {
    const { file, line, byte } = position;
    const place = [file, line && `line ${line}`, byte && `byte ${byte}`].filter(Boolean).join(', ');
    super(`${place}: ${rule}`, options);
    this.file = file;
    this.line = line;
    this.byte = byte;
  }
}

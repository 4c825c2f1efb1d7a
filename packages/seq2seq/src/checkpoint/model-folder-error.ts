/** What is wrong with a model folder, in values: enough to say it in another language. `folder` is the store's label. */
export type ModelFolderDefect =
  | { readonly defect: 'missing'; readonly file: string; readonly folder: string }
  | { readonly defect: 'not-json'; readonly file: string; readonly folder: string; readonly bytes: number }
  | {
      readonly defect: 'size';
      readonly file: string;
      readonly folder: string;
      readonly expected: number;
      readonly bytes: number;
    }
  | { readonly defect: 'checksum'; readonly file: string; readonly folder: string }
  /** The configuration describes more weights than the file of `bytes` bytes can hold. */
  | { readonly defect: 'too-many-weights'; readonly file: string; readonly folder: string; readonly bytes: number };

/** A model folder that cannot be used; the message is one sentence that names the file and what is wrong with it. */
export class ModelFolderError extends Error {
  override readonly name = 'ModelFolderError';

  constructor(
    message: string,
    readonly about: ModelFolderDefect,
  ) {
    super(message);
  }
}

// What can go wrong, in values: workers say it so, and the page makes a sentence of it in the language it has at the moment.
import type { ModelFolderDefect } from '@seqloom/seq2seq';

/** `said` is what a library or the browser says of it, in English. */
export type Failure =
  | { code: 'no-files' }
  | { code: 'no-model'; folder: string }
  | { code: 'several-models'; folder: string; count: number; names: string[] }
  | { code: 'too-large'; file: string; most: number; bytes: number }
  | { code: 'bad-zip'; file: string }
  | { code: 'unreadable'; file: string; folder: string; said: string }
  | { code: 'no-crypto' }
  | { code: 'bad-folder'; about: ModelFolderDefect }
  | { code: 'bad-model'; folder: string; said: string }
  | { code: 'wrong-pieces'; file: string; folder: string; expected: number; pieces: number }
  | { code: 'unreachable'; url: string; said: string }
  | { code: 'bad-corpus'; file: string; said: string }
  | { code: 'too-few-pairs'; file: string; least: number; pairs: number }
  | { code: 'one-source'; file: string }
  | { code: 'long-pairs'; file: string; most: number }
  | { code: 'diverged'; step: number; loss: number }
  | { code: 'exhausted'; said: string }
  | { code: 'worker-lost'; said: string }
  | { code: 'not-copied'; said: string }
  | { code: 'not-saved'; file: string; said: string }
  | { code: 'unexpected'; said: string };

/** A failure on its way to the page. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

/** What an error says, without a full stop. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().replace(/\.$/, '');
}

import { bosId, eosId, padId, specialTokens, type Vocabulary } from '../vocabulary.js';
import type { AddedTokenJSON, DecodeOptions } from './tokenizer.js';

/** How a `tokenizer.json` lists the four special pieces. */
export function addedTokens(vocabulary: Vocabulary): AddedTokenJSON[] {
  return specialTokens.map((content) => ({
    id: vocabulary.id(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
}

/** Whether a piece is one of the four with a fixed meaning. */
export function isSpecial(token: string): boolean {
  return (specialTokens as readonly string[]).includes(token);
}

/** The ids of pieces. */
export function idsOf(tokens: readonly string[], vocabulary: Vocabulary): Int32Array {
  return Int32Array.from(tokens, (token) => vocabulary.id(token));
}

/** The pieces of ids, without `<pad>`, `<bos>` and `<eos>` unless they are wanted. */
export function withoutSpecial(ids: ArrayLike<number>, vocabulary: Vocabulary, options: DecodeOptions): string[] {
  const tokens: string[] = [];
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (options.keepSpecial || (id !== padId && id !== bosId && id !== eosId)) tokens.push(vocabulary.token(id));
  }
  return tokens;
}

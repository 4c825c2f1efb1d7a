import type { EncodedPair, TextCodec } from '@seqloom/data-tokenizer';
import type { TextPair } from '../data/load-data.js';
import { InputError } from '../errors.js';

export interface EncodedPart {
  /** Every pair: a long one is no loss to learn from, but what is measured must hold it. */
  readonly all: readonly TextPair[];
  /** Those whose ids are in `ids`, one for one. */
  readonly pairs: readonly TextPair[];
  readonly ids: readonly EncodedPair[];
  /** Pairs left out because a side has more pieces than the model's limit. */
  readonly tooLong: number;
}

/** Pairs as ids, where neither side is too long for the model. */
export function encodePart(pairs: readonly TextPair[], codec: TextCodec): EncodedPart {
  const kept: TextPair[] = [];
  const ids: EncodedPair[] = [];
  for (const pair of pairs) {
    const source = codec.source.encode(pair.source).ids;
    const target = codec.target.encode(pair.target).ids;
    if (source.length > codec.maxPieces || target.length > codec.maxPieces) continue;
    kept.push(pair);
    ids.push({ source, target });
  }
  if (kept.length === 0 && pairs.length > 0) {
    throw new InputError(`every pair has a side of more than ${codec.maxPieces} pieces (text.maxPieces)`);
  }
  return { all: pairs, pairs: kept, ids, tooLong: pairs.length - kept.length };
}

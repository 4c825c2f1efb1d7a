import { type TextCodec, type TextSide, unkId } from '@seqloom/data-tokenizer';
import type { RunConfig, SideConfig } from '../config/run-config.js';
import { InputError } from '../errors.js';

/**
 * For each source id the id of the same piece on the target side, `<unk>` where that side has none; null where both sides have
 * one vocabulary. A model that copies what is `<unk>` there tells the place of the word, and the text is put in by it.
 *
 * @throws InputError where the two sides cut text in ways whose pieces cannot be compared
 */
export function copyMap({ source, target }: TextCodec, { share, ...sides }: RunConfig['text']): number[] | null {
  if (share === 'vocabulary') return null;
  if (share === 'nothing' && kindOf(sides.source) !== kindOf(sides.target)) {
    throw new InputError(
      `copy needs the same tokenizer on both sides, as pieces are compared; got ${kindOf(sides.source)} and ${kindOf(sides.target)}`,
    );
  }
  const ofTarget = vocabularyOf(target);
  return vocabularyOf(source).tokens.map((piece) => (ofTarget.has(piece) ? ofTarget.id(piece) : unkId));
}

const vocabularyOf = ({ tokenizer }: TextSide) => tokenizer.vocabulary;

/** What the pieces are made of: words, however they are found, characters, or bytes. */
function kindOf({ tokenizer, alphabet }: SideConfig): string {
  if (tokenizer === 'bpe') return `bpe of ${alphabet}`;
  return tokenizer === 'character' ? 'characters' : 'words';
}

import { Vocabulary } from '../../vocabulary.js';
import type { AddedToken } from './added-tokens.js';
import type { JsonNode } from './json-node.js';

/**
 * The pieces of `model.vocab` and of the added tokens, by id.
 *
 * @throws TokenizerFileError unless every id from 0 to the largest belongs to exactly one piece.
 */
export function readVocabulary(vocab: JsonNode, added: readonly AddedToken[], unknown: string | null): Vocabulary {
  const entries = Object.keys(vocab.object()).map((content): [string, number] => [content, vocab.get(content).count()]);
  const ids = new Map(entries);
  for (const { content, id } of added) {
    const known = ids.get(content);
    if (known !== undefined && known !== id) {
      vocab.fail(`gives ${JSON.stringify(content)} the id ${known}, but added_tokens gives it ${id}`);
    }
    ids.set(content, id);
  }
  const tokens: string[] = [];
  for (const [content, id] of ids) {
    if (id >= ids.size)
      vocab.fail(`has ${ids.size} pieces, so ids must be below that; got ${id} for ${JSON.stringify(content)}`);
    const other = tokens[id];
    if (other !== undefined)
      vocab.fail(`gives the id ${id} to both ${JSON.stringify(other)} and ${JSON.stringify(content)}`);
    tokens[id] = content;
  }
  if (unknown !== null && !ids.has(unknown)) vocab.fail(`lacks the unknown token ${JSON.stringify(unknown)}`);
  return new Vocabulary(tokens, unknown ?? '');
}

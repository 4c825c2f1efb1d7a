import type { Vocabulary } from '../../vocabulary.js';
import type { JsonNode } from '../pipeline/json-node.js';
import { BpeModel } from './bpe-model.js';
import type { Merge } from './learn-merges.js';
import { MergeRules } from './merge-rules.js';

/** The model of a tokenizer file of type `BPE`. @throws TokenizerFileError that names the part or the entry. */
export function readBpe(model: JsonNode, vocabulary: Vocabulary, byteLevel: boolean): BpeModel {
  const dropout = model.get('dropout');
  if (!dropout.isMissing && dropout.value !== 0)
    dropout.fail('must be null: dropout is chosen at encode, not in the file');
  const prefix = model.get('continuing_subword_prefix').stringOr('');
  return new BpeModel(vocabulary, new MergeRules(readMerges(model.get('merges'), vocabulary, prefix)), {
    byteLevel,
    unknown: model.get('unk_token').stringOr(null),
    fuseUnknown: model.get('fuse_unk').booleanOr(false),
    byteFallback: model.get('byte_fallback').booleanOr(false),
    ignoreMerges: model.get('ignore_merges').booleanOr(false),
    prefix,
    suffix: model.get('end_of_word_suffix').stringOr(''),
  });
}

function readMerges(node: JsonNode, vocabulary: Vocabulary, prefix: string): Merge[] {
  const seen = new Set<string>();
  return node.array().map((entry) => {
    const [left, right] = readPair(entry);
    const pair = JSON.stringify([left, right]);
    const joined = `${left}${right.startsWith(prefix) ? right.slice(prefix.length) : right}`;
    const missing = [left, right, joined].find((piece) => !vocabulary.has(piece));
    if (missing !== undefined) entry.fail(`joins ${pair}, but ${JSON.stringify(missing)} is not in the vocabulary`);
    if (seen.has(pair)) entry.fail(`joins ${pair}, as an earlier entry does`);
    seen.add(pair);
    return { left: vocabulary.id(left), right: vocabulary.id(right), result: vocabulary.id(joined) };
  });
}

/** A merge is written `["a", "b"]` or `"a b"`. */
function readPair(entry: JsonNode): [string, string] {
  const parts = typeof entry.value === 'string' ? entry.value.split(' ') : entry.array().map((part) => part.string());
  const [left, right] = parts;
  if (parts.length !== 2 || !left || !right)
    return entry.fail(`must be two pieces; got ${JSON.stringify(entry.value)}`);
  return [left, right];
}

import { specialTokens } from '../vocabulary.js';
import { BytePairTokenizer } from './byte-pair-tokenizer.js';
import { CharacterTokenizer } from './character-tokenizer.js';
import { readAddedTokens } from './pipeline/added-tokens.js';
import { jsonErrorLine } from './pipeline/json-error-line.js';
import { JsonNode, TokenizerFileError } from './pipeline/json-node.js';
import { PipelineTokenizer } from './pipeline/pipeline-tokenizer.js';
import { readVocabulary } from './pipeline/read-vocabulary.js';
import type { Tokenizer, TokenizerJSON } from './tokenizer.js';
import { WordTokenizer } from './word-tokenizer.js';

/**
 * The tokenizer of a `tokenizer.json`, written here or by Hugging Face's libraries (models BPE and WordLevel).
 *
 * @param json the file's text, or what `JSON.parse` made of it.
 * @throws TokenizerFileError: one sentence that names the part that is malformed or not supported.
 */
export function tokenizerFromJSON(json: unknown): Tokenizer {
  const value = typeof json === 'string' ? parse(json) : json;
  const root = new JsonNode(value, '');
  const model = root.get('model');
  const preTokenizer = root.get('pre_tokenizer');
  if (!preTokenizer.isMissing && !preTokenizer.get('seqloom').isMissing)
    return readOwn(root, preTokenizer.get('seqloom'));
  const isBpe = model.get('type').value === 'BPE' || !model.get('merges').isMissing;
  return isBpe ? new BytePairTokenizer(value as TokenizerJSON) : new PipelineTokenizer(value as TokenizerJSON);
}

function parse(text: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which JSON.parse refuses.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const line = jsonErrorLine(text);
    throw new TokenizerFileError(`the file is not JSON from line ${line} on (${(cause as Error).message})`, { cause });
  }
}

/** A character or word tokenizer, which the file describes beside the nearest thing other libraries know. */
function readOwn(root: JsonNode, settings: JsonNode): Tokenizer {
  const model = root.get('model');
  const unknown = model.get('unk_token').string();
  const vocabulary = readVocabulary(model.get('vocab'), readAddedTokens(root.get('added_tokens')), unknown);
  const misplaced = specialTokens.find((token, id) => vocabulary.tokens[id] !== token);
  if (misplaced !== undefined)
    model.get('vocab').fail(`must give ${misplaced} the id ${specialTokens.indexOf(misplaced)}`);
  const segmentation = settings.get('segmentation').string();
  switch (segmentation) {
    case 'graphemes':
      return new CharacterTokenizer(vocabulary);
    case 'words':
    case 'moses':
    case 'whitespace':
      return new WordTokenizer(vocabulary, { segmentation, locale: readLocale(settings.get('locale')) });
    default:
      return settings
        .get('segmentation')
        .fail(`must be graphemes, words, moses or whitespace; got ${JSON.stringify(segmentation)}`);
  }
}

function readLocale(node: JsonNode): string {
  const locale = node.stringOr('und');
  try {
    Intl.getCanonicalLocales(locale);
  } catch {
    node.fail(`must be a language tag; got ${JSON.stringify(locale)}`);
  }
  return locale;
}

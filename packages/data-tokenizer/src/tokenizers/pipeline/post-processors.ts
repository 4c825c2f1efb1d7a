import type { JsonNode } from './json-node.js';

/** The special pieces that a file wants around every text, by content. */
export interface Surroundings {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const nothing: Surroundings = { before: [], after: [] };

/** The `post_processor` of a tokenizer file, for single texts. @throws TokenizerFileError if not supported, by name. */
export function readPostProcessor(node: JsonNode): Surroundings {
  if (node.isMissing) return nothing;
  const type = node.get('type').string();
  switch (type) {
    case 'ByteLevel':
      return nothing;
    case 'Sequence':
      return node
        .get('processors')
        .array()
        .map(readPostProcessor)
        .reduce(
          (inner, outer) => ({ before: [...outer.before, ...inner.before], after: [...inner.after, ...outer.after] }),
          nothing,
        );
    case 'BertProcessing':
    case 'RobertaProcessing': {
      const content = (key: string) => (node.get(key).array()[0] ?? node.get(key).fail('must name a token')).string();
      return { before: [content('cls')], after: [content('sep')] };
    }
    case 'TemplateProcessing':
      return readTemplate(node.get('single'));
    default:
      return node.fail(`is the post-processor ${type}, which is not supported`);
  }
}

function readTemplate(node: JsonNode): Surroundings {
  const before: string[] = [];
  const after: string[] = [];
  let sequences = 0;
  for (const item of node.array()) {
    if (!item.get('Sequence').isMissing) sequences++;
    else (sequences === 0 ? before : after).push(item.get('SpecialToken').get('id').string());
  }
  if (sequences !== 1) node.fail(`must hold the text once; it holds it ${sequences} times`);
  return { before, after };
}

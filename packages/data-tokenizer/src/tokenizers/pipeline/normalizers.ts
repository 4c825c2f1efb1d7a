import type { AlignedText, Edit } from '../../normalize/aligned-text.js';
import { lowercase } from '../../normalize/lowercase.js';
import { toUnicodeForm } from '../../normalize/unicode-form.js';
import type { JsonNode } from './json-node.js';
import { readPattern } from './pattern.js';

/** A step that rewrites a text before it is cut. */
export type NormalizerStep = (text: AlignedText) => AlignedText;

/** The `normalizer` of a tokenizer file. @throws TokenizerFileError for one that is not supported, by name. */
export function readNormalizer(node: JsonNode): NormalizerStep {
  if (node.isMissing) return (text) => text;
  const type = node.get('type').string();
  switch (type) {
    case 'Sequence': {
      const steps = node.get('normalizers').array().map(readNormalizer);
      return (text) => steps.reduce((result, step) => step(result), text);
    }
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return (text) => toUnicodeForm(text, type);
    case 'Lowercase':
      return lowercase;
    case 'Strip':
      return strip(node.get('strip_left').booleanOr(true), node.get('strip_right').booleanOr(true));
    case 'StripAccents':
      return (text) => text.replace(/\p{M}/gu, '');
    case 'Replace': {
      const pattern = readPattern(node.get('pattern'));
      const content = node.get('content').string();
      return (text) => text.replace(pattern, content);
    }
    case 'Prepend': {
      const prefix = node.get('prepend').string();
      return (text) => (text.text === '' ? text : text.prepend(prefix));
    }
    case 'BertNormalizer':
      return bertNormalizer(node);
    default:
      return node.fail(`is the normalizer ${type}, which is not supported`);
  }
}

function strip(left: boolean, right: boolean): NormalizerStep {
  return (text) => {
    const edits: Edit[] = [];
    const length = text.text.length;
    const start = left ? (/^\p{White_Space}+/u.exec(text.text)?.[0].length ?? 0) : 0;
    const tail = right ? (/\p{White_Space}+$/u.exec(text.text.slice(start))?.[0].length ?? 0) : 0;
    if (start > 0) edits.push({ start: 0, end: start, replacement: '' });
    if (tail > 0) edits.push({ start: length - tail, end: length, replacement: '' });
    return text.edit(edits);
  };
}

const han =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;

function bertNormalizer(node: JsonNode): NormalizerStep {
  const lower = node.get('lowercase').booleanOr(true);
  const stripAccents = node.get('strip_accents').booleanOr(lower);
  const steps: NormalizerStep[] = [];
  if (node.get('clean_text').booleanOr(true)) {
    steps.push((text) => text.replace(/[\0\uFFFD]|(?![\t\n\r])\p{C}/gu, '').replace(/\p{White_Space}/gu, ' '));
  }
  if (node.get('handle_chinese_chars').booleanOr(true))
    steps.push((text) => text.replace(han, (letter) => ` ${letter} `));
  if (stripAccents) steps.push((text) => toUnicodeForm(text, 'NFD').replace(/\p{Mn}/gu, ''));
  if (lower) steps.push(lowercase);
  return (text) => steps.reduce((result, step) => step(result), text);
}

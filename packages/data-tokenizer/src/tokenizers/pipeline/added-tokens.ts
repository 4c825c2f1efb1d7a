import type { AlignedText } from '../../normalize/aligned-text.js';
import type { JsonNode } from './json-node.js';

/** A piece that is found in the text before it is cut by the model. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly singleWord: boolean;
  readonly stripLeft: boolean;
  readonly stripRight: boolean;
  /** Looked for in the normalized text. */
  readonly normalized: boolean;
  readonly special: boolean;
}

/** The `added_tokens` of a tokenizer file. @throws TokenizerFileError for a malformed one. */
export function readAddedTokens(node: JsonNode): AddedToken[] {
  if (node.isMissing) return [];
  return node.array().map((item) => {
    const special = item.get('special').booleanOr(false);
    const content = item.get('content').string();
    if (content === '') item.get('content').fail('must not be empty');
    return {
      id: item.get('id').count(),
      content,
      singleWord: item.get('single_word').booleanOr(false),
      stripLeft: item.get('lstrip').booleanOr(false),
      stripRight: item.get('rstrip').booleanOr(false),
      normalized: item.get('normalized').booleanOr(!special),
      special,
    };
  });
}

/** A part of a text: an added token, or text between them. */
export interface Section {
  readonly text: AlignedText;
  readonly token: AddedToken | undefined;
}

/** Finds added tokens in texts: leftmost first, of those that begin at one place the longest. */
export class AddedTokenFinder {
  readonly #tokens: ReadonlyMap<string, AddedToken>;
  readonly #pattern: RegExp | undefined;

  constructor(tokens: ReadonlyMap<string, AddedToken>) {
    this.#tokens = tokens;
    const contents = [...tokens.keys()].sort((a, b) => b.length - a.length);
    const escaped = contents.map((content) => content.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.#pattern = contents.length === 0 ? undefined : new RegExp(escaped.join('|'), 'gu');
  }

  split(text: AlignedText): Section[] {
    const sections: Section[] = [];
    const add = (start: number, end: number, token?: AddedToken): void => {
      if (start < end) sections.push({ text: text.slice(start, end), token });
    };
    let at = 0;
    for (const { 0: content, index } of this.#pattern === undefined ? [] : text.text.matchAll(this.#pattern)) {
      const token = this.#tokens.get(content) as AddedToken;
      let start = index;
      let end = index + content.length;
      if (token.singleWord && (isWord(text.text, start - 1) || isWord(text.text, end))) continue;
      if (token.stripLeft) while (start > at && isSpace(text.text, start - 1)) start--;
      if (token.stripRight) while (end < text.text.length && isSpace(text.text, end)) end++;
      add(at, start);
      add(start, end, token);
      at = end;
    }
    add(at, text.text.length);
    return sections;
  }
}

function isSpace(text: string, at: number): boolean {
  return /\p{White_Space}/u.test(text[at] ?? '');
}

function isWord(text: string, at: number): boolean {
  return /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u.test(text[at] ?? '');
}

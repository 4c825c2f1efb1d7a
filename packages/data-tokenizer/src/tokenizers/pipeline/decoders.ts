import { byteOf } from '../bpe/byte-alphabet.js';
import type { JsonNode } from './json-node.js';
import { readPattern } from './pattern.js';

/** A step that turns pieces back into text; the last step's pieces are joined. */
export type DecoderStep = (tokens: string[]) => string[];

/** The `decoder` of a tokenizer file; none joins the pieces by spaces. @throws TokenizerFileError if not supported. */
export function readDecoder(node: JsonNode): DecoderStep {
  if (node.isMissing) return (tokens) => [tokens.join(' ')];
  const type = node.get('type').string();
  switch (type) {
    case 'Sequence': {
      const steps = node.get('decoders').array().map(readDecoder);
      return (tokens) => steps.reduce((result, step) => step(result), tokens);
    }
    case 'ByteLevel':
      return decodeBytes;
    case 'ByteFallback':
      return decodeFallback;
    case 'Fuse':
      return (tokens) => [tokens.join('')];
    case 'Replace': {
      const pattern = readPattern(node.get('pattern'));
      const content = node.get('content').string();
      return (tokens) => tokens.map((token) => token.replace(pattern, () => content));
    }
    case 'Strip':
      return strip(node.get('content').stringOr(' '), node.get('start').count(), node.get('stop').count());
    case 'Metaspace': {
      const replacement = node.get('replacement').stringOr('▁');
      const spaceFirst = node.get('prepend_scheme').stringOr('always') === 'never';
      return (tokens) =>
        tokens.map((token, index) => token.replaceAll(replacement, index > 0 || spaceFirst ? ' ' : ''));
    }
    case 'BPEDecoder': {
      const suffix = node.get('suffix').stringOr('</w>');
      return (tokens) => tokens.map((token, index) => token.replaceAll(suffix, index < tokens.length - 1 ? ' ' : ''));
    }
    case 'WordPiece':
      return wordPiece(node.get('prefix').stringOr('##'), node.get('cleanup').booleanOr(true));
    default:
      return node.fail(`is the decoder ${type}, which is not supported`);
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

function decodeBytes(tokens: string[]): string[] {
  const bytes: number[] = [];
  for (const token of tokens) {
    const own = Array.from(token, byteOf);
    // A piece that is not written in byte characters, such as an added token, stands for itself.
    if (own.includes(undefined)) bytes.push(...encoder.encode(token));
    else bytes.push(...(own as number[]));
  }
  return [utf8.decode(Uint8Array.from(bytes))];
}

function decodeFallback(tokens: string[]): string[] {
  const decoded: string[] = [];
  let bytes: number[] = [];
  const flush = (): void => {
    if (bytes.length === 0) return;
    decoded.push(utf8.decode(Uint8Array.from(bytes)));
    bytes = [];
  };
  for (const token of tokens) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1];
    if (byte !== undefined) {
      bytes.push(Number.parseInt(byte, 16));
    } else {
      flush();
      decoded.push(token);
    }
  }
  flush();
  return decoded;
}

function strip(content: string, start: number, stop: number): DecoderStep {
  return (tokens) =>
    tokens.map((token) => {
      const letters = Array.from(token);
      let first = 0;
      while (first < start && letters[first] === content) first++;
      let last = letters.length;
      while (letters.length - last < stop && last > first && letters[last - 1] === content) last--;
      return letters.slice(first, last).join('');
    });
}

function wordPiece(prefix: string, cleanup: boolean): DecoderStep {
  return (tokens) =>
    tokens.map((token, index) => {
      const joined = index === 0 ? token : token.startsWith(prefix) ? token.slice(prefix.length) : ` ${token}`;
      return cleanup ? cleanUp(joined) : joined;
    });
}

function cleanUp(text: string): string {
  return text
    .replace(/ ([.?!,])/g, '$1')
    .replaceAll(" ' ", "'")
    .replace(/ (n't|'m|'s|'ve|'re)/g, '$1');
}

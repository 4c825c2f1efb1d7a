import type { JsonNode } from './json-node.js';
import { tooManyWays } from './pattern-ways.js';

/**
 * Compiles `{ String: … }` or `{ Regex: … }` (or a bare string) as a global, Unicode-aware RegExp.
 *
 * Whoever wrote the file chose the pattern: one that could take for ever is refused; see {@link tooManyWays} for what that misses.
 */
export function readPattern(node: JsonNode): RegExp {
  if (typeof node.value === 'string') return literal(node.value);
  const text = node.get('String');
  if (!text.isMissing) return literal(text.string());
  const source = node.get('Regex').string();
  const [pattern, why] = compiled(source, node);
  if (why !== undefined) {
    node.fail(`holds a regular expression that could take for ever on some text (${why}): ${source}`);
  }
  return pattern;
}

function compiled(source: string, node: JsonNode): [pattern: RegExp, tooManyWays: string | undefined] {
  try {
    const pattern = new RegExp(translate(source), 'gu');
    return [pattern, tooManyWays(pattern.source)];
  } catch (cause) {
    return node.fail(`holds a regular expression that is not supported (${(cause as Error).message}): ${source}`);
  }
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'gu');
}

const wordClass = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';

// What a class escape stands for inside of brackets; Oniguruma's are Unicode's, JavaScript's mostly ASCII's.
const classes: Readonly<Record<string, string>> = {
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: wordClass,
  h: '0-9A-Fa-f',
};

/**
 * Rewrites an Oniguruma pattern, as tokenizer files hold them, for JavaScript: Unicode classes, `(?i:…)` over ASCII
 * letters, possessive quantifiers as greedy ones (the patterns in use match the same).
 *
 * @throws SyntaxError for nested character classes, atomic groups and other parts without an equal.
 */
function translate(source: string): string {
  const tokens =
    source.match(
      /\\[pP]\{[^}]*\}|\\x\{[0-9A-Fa-f]+\}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\.|\(\?\w*[:=!>]|\(\?<[=!]|./gsu,
    ) ?? [];
  const foldings: boolean[] = [];
  let fold = false;
  let inClass = false;
  let quantified = false;
  let output = '';
  for (const token of tokens) {
    const wasQuantified: boolean = quantified;
    quantified = false;
    if (token.startsWith('\\')) {
      output += translateEscape(token, inClass);
    } else if (inClass) {
      if (token === '[') throw new SyntaxError('a character class within another');
      if (token === ']') inClass = false;
      output += fold && /^[a-z]$/i.test(token) ? token.toLowerCase() + token.toUpperCase() : token;
    } else if (token === '[') {
      inClass = true;
      output += token;
    } else if (token.startsWith('(')) {
      foldings.push(fold);
      if (token === '(?i:') fold = true;
      else if (/^\(\?(?:>|\w)/.test(token)) throw new SyntaxError(`the group ${token}`);
      output += token === '(?i:' ? '(?:' : token;
    } else if (token === ')') {
      fold = foldings.pop() ?? false;
      output += token;
    } else if (token === '+' && wasQuantified) {
      // Possessive.
    } else {
      quantified = /^[*+?}]$/.test(token);
      output += fold && /^[a-z]$/i.test(token) ? `[${token.toLowerCase()}${token.toUpperCase()}]` : anchored(token);
    }
  }
  return output;
}

function translateEscape(token: string, inClass: boolean): string {
  const letter = token[1] as string;
  const set = classes[letter];
  if (set !== undefined) return inClass ? set : `[${set}]`;
  if (token.startsWith('\\x{')) return `\\u{${token.slice(3, -1)}}`;
  if (letter === 'W' && !inClass) return `[^${wordClass}]`;
  if (letter === 'A') return '(?<![\\s\\S])';
  if (letter === 'z') return '(?![\\s\\S])';
  if (/[bBGhHkKNOQRWXyYZ]/.test(letter)) throw new SyntaxError(`the escape ${token}`);
  // In JavaScript's Unicode mode only syntax characters and letters with a meaning may follow a backslash.
  return /[\w^$\\.*+?()[\]{}|/-]/.test(letter) ? (letter === '-' && !inClass ? '-' : token) : letter;
}

function anchored(token: string): string {
  if (token === '^') return '(?:(?<![\\s\\S])|(?<=\\n))';
  if (token === '$') return '(?:(?![\\s\\S])|(?=\\n))';
  return token === '.' ? '[^\\n]' : token;
}

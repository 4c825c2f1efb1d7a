import { RowDefect, type RowParser } from './row-parser.js';

/**
 * The CMU pronouncing dictionary: `word P H ON EM ES`. A variant's number (`word(2)`) and comments (after ` #`, or a
 * line that begins with `;;;`) are left out.
 */
export class CmudictParser implements RowParser {
  readonly columns = ['word', 'phonemes'];
  readonly header = undefined;
  readonly openedAt = undefined;

  parse(text: string): readonly string[] | undefined {
    if (text.startsWith(';;;')) return undefined;
    const match = /^(\S+?)(?:\(\d+\))?\s+(\S.*?)\s*(?:\s#.*)?$/u.exec(text);
    if (match === null) throw new RowDefect('missing-column', 'the row must be a word, a space and its phonemes');
    return [match[1] as string, match[2] as string];
  }
}

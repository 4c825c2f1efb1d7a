/** A word or a punctuation mark of a text, and where it lies. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * How a text is cut into words:
 * - `words`: Unicode word boundaries (UAX 29), with a dictionary for Chinese, Japanese, Thai and their neighbours;
 * - `whitespace`: at whitespace only, for text that is already cut into words or phonemes.
 */
export type Segmentation = 'words' | 'whitespace';

/** Cuts texts into words, leaving out whitespace. */
export type WordCutter = (text: string) => Word[];

/**
 * @param locale what language the dictionary should favour; a BCP 47 tag.
 * @throws RangeError for a locale that is no BCP 47 tag, or an unknown segmentation.
 */
export function wordCutter(segmentation: Segmentation, locale = 'und'): WordCutter {
  switch (segmentation) {
    case 'whitespace':
      return cutAtWhitespace;
    case 'words': {
      const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
      return (text) => cutIntoWords(text, segmenter);
    }
    default:
      throw new RangeError(
        `WordTokenizer: segmentation must be words or whitespace; got ${JSON.stringify(segmentation)}`,
      );
  }
}

function cutAtWhitespace(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/gu), (match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function cutIntoWords(text: string, segmenter: Intl.Segmenter): Word[] {
  const words: Word[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    // A space may carry a joiner or a combining mark in its segment; only what is not whitespace is a word.
    for (const match of segment.matchAll(/\S+/gu)) {
      const start = index + match.index;
      words.push({ text: match[0], start, end: start + match[0].length });
    }
  }
  return words;
}

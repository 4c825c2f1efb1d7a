/** A part of a text as `Intl.Segmenter` finds it. */
export interface Segment {
  readonly segment: string;
  readonly index: number;
  /** Whether it is a word, where words are looked for: not white space or punctuation. */
  readonly isWordLike?: boolean | undefined;
}

// Dictionaries look a few letters ahead: what lies so close to a window's end is looked at again in the next.
const margin = 32;

/**
 * The segments of a text, found window by window: in Node 20 every step of `Intl.Segmenter` takes time in proportion to
 * the whole text, so a pasted book would take hours. Each window begins where a segment does. Only within an unbroken run
 * of letters longer than a window can a dictionary's words differ from those of the whole text.
 */
export function segments(text: string, segmenter: Intl.Segmenter, window = 512): Iterable<Segment> {
  return text.length <= window ? segmenter.segment(text) : windowed(text, segmenter, window);
}

function* windowed(text: string, segmenter: Intl.Segmenter, window: number): Generator<Segment> {
  let start = 0;
  let size = window;
  while (start < text.length) {
    const end = Math.min(start + size, text.length);
    const found = Array.from(segmenter.segment(text.slice(start, end)));
    const certain =
      end === text.length ? found : found.filter(({ index, segment }) => index + segment.length <= size - margin);
    for (const { segment, index, isWordLike } of certain) yield { segment, index: start + index, isWordLike };
    const last = certain.at(-1);
    if (last === undefined) {
      size *= 2;
    } else {
      start += last.index + last.segment.length;
      size = window;
    }
  }
}

import { seededRandom, shuffle } from '@seqloom/data-tokenizer';
import type { TextPair } from '../data/load-data.js';
import { type CorpusPart, streamOf } from './corpus-part.js';

const sizes = { train: 20_000, valid: 1000, test: 1000 } as const;

const DAY = 24 * 60 * 60 * 1000;
const FIRST = Date.UTC(1950, 0, 1);
const DAYS = (Date.UTC(2050, 0, 1) - FIRST) / DAY;

const locales = ['en-US', 'en-GB', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'zh', 'ja', 'ko'];

const styles: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  { year: 'numeric', month: 'long', day: 'numeric' },
  { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: '2-digit', day: '2-digit' },
  { year: 'numeric', month: 'numeric', day: 'numeric' },
];

/** Ways to write a date. 3/7/2023 is July in London and March in New York, so New York does not write it in numbers. */
const formats = locales.flatMap((locale) =>
  styles
    .filter(({ month }) => locale !== 'en-US' || month === 'long' || month === 'short')
    .map(
      (style) =>
        new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' }),
    ),
);

/**
 * Dates as people write them in thirteen locales, and as ISO 8601 writes them: `mardi 7 mars 2023` → `2023-03-07`. The
 * days are those of 1950 to 2049. Every text is there once, has one reading, and no day of one part is in another.
 *
 * The texts are those of `Intl.DateTimeFormat`, so they may differ with the ICU version of the runtime.
 */
export function* humanDates(part: CorpusPart, seed: number): Generator<TextPair> {
  const random = seededRandom(seed, streamOf[part]);
  const days = daysOf(part, seed);
  const texts = new Set<string>();
  while (texts.size < sizes[part]) {
    const day = part === 'train' ? (days[random.below(days.length)] as number) : (days[texts.size] as number);
    const date = new Date(FIRST + day * DAY);
    const source = (formats[random.below(formats.length)] as Intl.DateTimeFormat).format(date);
    if (texts.has(source)) continue;
    texts.add(source);
    yield { source, target: date.toISOString().slice(0, 10) };
  }
}

/** The days of a part, in a random order: as many as pairs for valid and test, all others for training. */
function daysOf(part: CorpusPart, seed: number): number[] {
  const days = shuffle([...Array(DAYS).keys()], seed);
  const from = { valid: 0, test: sizes.valid, train: sizes.valid + sizes.test }[part];
  return days.slice(from, part === 'train' ? undefined : from + sizes[part]);
}

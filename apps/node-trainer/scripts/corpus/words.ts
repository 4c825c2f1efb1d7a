import type { Sentence } from './pattern.js';

const segmenters = {
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
  en: new Intl.Segmenter('en', { granularity: 'word' }),
};

/** The words of a text in one of the languages, without spaces and marks. */
export function wordsOf(language: 'zh' | 'en', text: string): string[] {
  return [...segmenters[language].segment(text)].filter((each) => each.isWordLike).map(({ segment }) => segment);
}

/** In how many of the sentences each word occurs. */
export class WordCounts {
  readonly #counts = { zh: new Map<string, number>(), en: new Map<string, number>() };

  constructor(sentences: readonly Sentence[]) {
    for (const sentence of sentences) {
      for (const language of ['zh', 'en'] as const) {
        const counts = this.#counts[language];
        for (const word of new Set(wordsOf(language, sentence[language])))
          counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }

  /** How many of the sentences have the rarest word of `sentence`. */
  rarest(sentence: Sentence): number {
    const languages = ['zh', 'en'] as const;
    return Math.min(
      ...languages.flatMap((language) =>
        wordsOf(language, sentence[language]).map((word) => this.#counts[language].get(word) ?? 0),
      ),
    );
  }

  /** All words of a language with their counts. */
  all(language: 'zh' | 'en'): ReadonlyMap<string, number> {
    return this.#counts[language];
  }
}

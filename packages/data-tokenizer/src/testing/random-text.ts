import fc from 'fast-check';

const words = [
  ..."the Welcome don't ÜBER naïve cafe\u0301 İstanbul ΣΊΣΥΦΟΣ ﬁne x² 3.5 1,000 U.S.".split(' '),
  ...'欢迎 来 北京 𠮷野家 汉字 东京タワー ｶﾞ 한국어 각 สวัสดี ครับ नमस्ते مرحبا שָׁלוֹם'.split(' '),
  ...'👩‍👩‍👧 👍🏽 🇨🇳 ❤️ e\u0301\u0323 Z͑ͫ̓ \u200B \u200D \u00AD \u202E'.split(' '),
  ...` .  .\t.\n.\r\n.\u00A0.\u3000.\u2028.\u0085.\uFEFF.\u000B.\u202F`.split('.'),
  ...`. , ! ... " ' - — 。 ， 「 」 （ ¿ < > </w> ## @@ ▁ ￭ Ġ _`.split(' '),
  ...'0 42 ٣ ½ <0x41> \uFFFD \u0001 \u007F'.split(' '),
];

/** Texts as people paste them: words of many scripts, joined emoji, combining marks, odd spaces, stray characters. */
export const wellFormedText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...words) },
      { weight: 2, arbitrary: fc.constant(' ') },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 6 }) },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

/** The same with lone surrogates, and any code point at all. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: wellFormedText },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.oneof(
          wellFormedText,
          fc.constantFrom('\uD800', '\uDC00', '\uDFFF\uD83D'),
          fc.string({ unit: 'binary', maxLength: 5 }),
        ),
        {
          maxLength: 4,
        },
      )
      .map((parts) => parts.join('')),
  },
);

/** A few sentences in several languages to train small tokenizers on. */
export const sentences = [
  'The quick brown fox jumps over the lazy dog.',
  "They don't know the newest lowest tower; we've seen 1,000 of them.",
  'Zwei junge weiße Männer sind im Freien in der Nähe vieler Büsche.',
  '欢迎来北京，我们明天去看长城。',
  '我们明天不去北京，后天去上海。',
  'สวัสดีครับ ยินดีต้อนรับ',
  'नमस्ते दुनिया, आप कैसे हैं?',
  'مرحبا بالعالم، كيف حالك؟',
  '한국어 문장을 하나 씁니다. 한국어 문장을 둘 씁니다.',
  'emoji 👩‍👩‍👧 👍🏽 🇨🇳  and  double  spaces',
  'the tower of the newest fox, the lowest dog of the tower',
];

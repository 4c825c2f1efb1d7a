import { describe, expect, it } from 'vitest';
import { bleuTokenizers } from './bleu-tokenizers.js';

const words = (name: keyof typeof bleuTokenizers, line: string) => bleuTokenizers[name](line).join('|');

describe('bleuTokenizers', () => {
  it('13a keeps stops inside numbers, apostrophes and most hyphens, and reads entities', () => {
    expect(words('13a', "It's 3.14, 1,000 e-mails (1990-95).")).toBe("It's|3.14|,|1,000|e-mails|(|1990|-|95|)|.");
    expect(words('13a', '&quot;A&amp;B&quot; &lt;skipped&gt;<skipped>')).toBe('"|A|&|B|"|<|skipped|>');
  });

  it('intl separates Unicode punctuation and symbols, but not a stop after a number at the end', () => {
    expect(words('intl', '“Ja” – für €5, 3,5 km. Im Jahr 2020.')).toBe('“|Ja|”|–|für|€|5|,|3,5|km|.|Im|Jahr|2020.');
  });

  it('zh makes each ideograph and full-width mark a word and leaves Latin words whole', () => {
    expect(words('zh', '我有3.5个apple，好！')).toBe('我|有|3.5|个|apple|，|好|！');
    expect(words('zh', 'a—b')).toBe('a|—|b');
    expect(words('zh', 'end.')).toBe('end|.');
  });

  it('char makes each code point a word and drops white space', () => {
    expect(words('char', 'a 👍🏽 é')).toBe('a|👍|🏽|é');
  });

  it('none splits at white space as Python knows it, where the byte order mark is none', () => {
    expect(words('none', ' a\u00a0b\u3000c\u0085d\u001ce\ufefff ')).toBe('a|b|c|d|e\ufefff');
    expect(words('none', '   ')).toBe('');
  });
});

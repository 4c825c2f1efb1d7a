import { expect, test } from 'vitest';
import { type SearchOptions, searchSettings } from './options.js';

test.each<[SearchOptions & Record<string, unknown>, string]>([
  [{ numBeams: 3 }, 'unknown name "numBeams"; did you mean "beam"?'],
  [{ beams: 3 }, 'unknown name "beams"; did you mean "beam"?'],
  [{ beam: 0 }, 'beam must be at least 1; got 0'],
  [{ beam: 2.5 }, 'beam must be a whole number; got 2.5'],
  [{ nBest: 3 }, 'nBest must be at most beam 1; got 3'],
  [{ temperature: 0.5 }, 'temperature belongs to sample: true; got 0.5 without it'],
  [{ sample: true, beam: 4 }, 'sample needs beam 1; got 4 (nBest draws several)'],
  [{ sample: true, topP: 1.2 }, 'topP must be at most 1; got 1.2'],
  [
    { lengthPenalty: 'none', lengthAlpha: 0.5 },
    'lengthAlpha belongs to lengthPenalty average or gnmt; got 0.5 with none',
  ],
  [{ earlyStopping: 'exact' }, 'earlyStopping needs a beam above 1; got 1'],
  [{ minLength: 9, maxLength: 4 }, 'minLength must be at most maxLength 4; got 9'],
  [{ prefix: [4, 5, 6], maxLength: 2 }, 'prefix must have at most maxLength 2 tokens; got 3'],
])('%j is refused by name', (options, message) => {
  expect(() => searchSettings(options)).toThrow(`search options: ${message}`);
});

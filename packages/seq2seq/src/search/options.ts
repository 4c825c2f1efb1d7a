// What a search may be asked for. Every option has an effect, or is refused by name.
import { z } from 'zod';
import { ConfigError, parse } from '../config/parse.js';

const count = z.int().min(0);

/** The options of a search as plain JSON. */
export const searchOptionsSchema = z.strictObject({
  beam: z.int().min(1).default(1).describe('Hypotheses kept at every step; 1 is greedy search.'),
  nBest: z.int().min(1).default(1).describe('Hypotheses returned for each sentence, best first.'),
  minLength: count.default(0).describe('Tokens before <eos> may be chosen.'),
  maxLength: z
    .int()
    .min(1)
    .optional()
    .describe('Most tokens of a translation, <eos> not counted; default: 3 × source length + 20.'),
  lengthPenalty: z
    .enum(['none', 'average', 'gnmt'])
    .default('average')
    .describe('Score of a hypothesis Y (with <eos>): log P, log P / |Y|^α, or log P / ((5 + |Y|) / 6)^α.'),
  lengthAlpha: z.number().min(0).optional().describe('α of the length penalty; default: 1 for average, 0.6 for gnmt.'),
  coveragePenalty: z
    .number()
    .min(0)
    .default(0)
    .describe('β: adds β Σᵢ log min(Σₜ aₜᵢ, 1) to the score, so that every source token is attended to.'),
  earlyStopping: z
    .enum(['count', 'exact'])
    .optional()
    .describe(
      'Beam search ends when `beam` hypotheses have ended (count, the default), or when none that goes on can get among the n best (exact).',
    ),
  noRepeatNgram: count.default(0).describe('No n tokens in a row occur twice; 0: no such rule.'),
  repetitionPenalty: z
    .number()
    .min(1)
    .default(1)
    .describe('Multiplies the log-probability of tokens that occurred already; 1: no penalty.'),
  allowUnknown: z.boolean().default(true).describe('Whether <unk> may be chosen.'),
  prefix: z.array(z.int().min(0)).default([]).describe('Token ids that every translation begins with.'),
  sample: z.boolean().default(false).describe('Draws tokens instead of searching for the best.'),
  temperature: z.number().gt(0).optional().describe('sample: divides the log-probabilities; default 1.'),
  topK: z.int().min(1).optional().describe('sample: only the k most probable tokens; default: all.'),
  topP: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('sample: only the most probable tokens whose sum reaches p; default 1.'),
  seed: z.int().optional().describe('sample: seed of the draws; default 0.'),
  batchSize: z.int().min(1).default(32).describe('Sentences decoded side by side.'),
});

/** What a caller may leave out. */
export type SearchOptions = z.input<typeof searchOptionsSchema>;

/** Checked options, defaults filled in. */
export type SearchSettings = z.output<typeof searchOptionsSchema> & { lengthAlpha: number };

/** @throws ConfigError naming the option, the rule and what came */
export function searchSettings(options: SearchOptions): SearchSettings {
  const parsed = parse(searchOptionsSchema, options, 'search options');
  for (const broken of rules(parsed)) throw new ConfigError(`search options: ${broken}`);
  return { ...parsed, lengthAlpha: parsed.lengthAlpha ?? (parsed.lengthPenalty === 'gnmt' ? 0.6 : 1) };
}

function* rules(options: z.output<typeof searchOptionsSchema>): Generator<string> {
  for (const key of ['temperature', 'topK', 'topP', 'seed'] as const) {
    if (options[key] !== undefined && !options.sample)
      yield `${key} belongs to sample: true; got ${options[key]} without it`;
  }
  if (options.sample && options.beam > 1) yield `sample needs beam 1; got ${options.beam} (nBest draws several)`;
  if (!options.sample && options.nBest > options.beam) {
    yield `nBest must be at most beam ${options.beam}; got ${options.nBest}`;
  }
  if (options.earlyStopping && options.beam === 1) yield `earlyStopping needs a beam above 1; got ${options.beam}`;
  if (options.lengthAlpha !== undefined && options.lengthPenalty === 'none') {
    yield `lengthAlpha belongs to lengthPenalty average or gnmt; got ${options.lengthAlpha} with none`;
  }
  if (options.maxLength !== undefined && options.minLength > options.maxLength) {
    yield `minLength must be at most maxLength ${options.maxLength}; got ${options.minLength}`;
  }
  if (options.maxLength !== undefined && options.prefix.length > options.maxLength) {
    yield `prefix must have at most maxLength ${options.maxLength} tokens; got ${options.prefix.length}`;
  }
}

import { type NormalizationStep, normalizationSteps } from '@seqloom/data-tokenizer';
import { modelConfigSchema, searchOptionsSchema, trainOptionsSchema } from '@seqloom/seq2seq';
import { z } from 'zod';
import { scoreNames } from '../scores.js';

const files = z.union([
  z.string().min(1),
  z.strictObject({
    source: z.string().min(1).describe('The file of the source side.'),
    target: z.string().min(1).describe('The file of the target side, line by line.'),
  }),
]);

const part = z
  .union([files, z.number().min(0)])
  .nullable()
  .default(null);

const data = z
  .strictObject({
    corpus: z
      .enum(['zh-en', 'reverse', 'dates', 'g2p'])
      .nullable()
      .default(null)
      .describe('A corpus that comes with seqloom, instead of files.'),
    folder: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'A folder whose files train, valid (or dev) and test are used: .tsv, .csv, .jsonl, .dict, or two parallel ones such as train.de and train.en. `--data FOLDER` sets it.',
      ),
    train: files
      .nullable()
      .default(null)
      .describe(
        'A file of pairs (.gz too), or { source, target }: two parallel files. `--data FILE` sets it. Paths are relative to the config file.',
      ),
    valid: part.describe(
      'Likewise; or how many pairs (below 1: which share) are held out of train where no such part is found, by the seed, no source in two parts. Default: the smaller of 1000 and 5 %.',
    ),
    test: part.describe('Likewise. Default: none.'),
    format: z
      .enum(['tsv', 'csv', 'jsonl', 'cmudict'])
      .nullable()
      .default(null)
      .describe("Default: by the file's name, else tsv."),
    columns: z
      .array(z.union([z.string(), z.int().min(1)]))
      .min(2)
      .nullable()
      .default(null)
      .describe('Columns to use, by header, or by number from 1; a file without a header has its columns named so.'),
    header: z
      .union([z.boolean(), z.literal('auto')])
      .default('auto')
      .describe(
        'Whether the first row of TSV and CSV names the columns; auto: if it holds the names in columns or looks like a header.',
      ),
    direction: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'Which column (or file ending) is the source and which the target, such as zh-en. `--direction` sets it. Also the languages of the two sides where text says none.',
      ),
    onInvalid: z
      .enum(['error', 'skip', 'replace'])
      .default('error')
      .describe('What is done with NUL, invalid UTF-8 and rows without the columns.'),
    maxLength: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Training pairs with a longer side (in characters) are left out.'),
    maxRatio: z
      .number()
      .min(1)
      .nullable()
      .default(null)
      .describe('Training pairs whose sides differ more in length are left out.'),
    dropDuplicates: z.boolean().default(false).describe('Training pairs that came before are left out.'),
    dropIdentical: z.boolean().default(false).describe('Training pairs whose sides are equal are left out.'),
    stress: z
      .enum(['keep', 'remove'])
      .default('keep')
      .describe('remove: targets in ARPAbet lose the stress digits of their vowels (AH0 → AH), in every part.'),
    limit: z.int().min(1).nullable().default(null).describe('Use only so many training pairs, the first ones.'),
  })
  .prefault({})
  .describe('Where the sentence pairs come from.');

const side = z
  .strictObject({
    tokenizer: z
      .enum(['word', 'moses', 'whitespace', 'character', 'bpe'])
      .default('word')
      .describe(
        "word: Unicode word boundaries (Chinese, Japanese, Thai by dictionary); moses: the Moses tokenizer's rules; whitespace: text that is cut already, such as phonemes; character: grapheme clusters; bpe: byte-pair encoding, trained here.",
      ),
    alphabet: z
      .enum(['bytes', 'characters'])
      .default('bytes')
      .describe(
        'bpe: what pieces are made of; characters suits Chinese and Japanese (bytes then stand for the rare ones).',
      ),
    language: z.string().nullable().default(null).describe('BCP 47 tag; default: from data.direction.'),
    vocabularySize: z
      .int()
      .min(5)
      .nullable()
      .default(null)
      .describe('Largest number of pieces; default: no limit, for bpe 8000.'),
    minFrequency: z.int().min(1).default(1).describe('Pieces seen fewer times are <unk>.'),
    sideMinFrequency: z
      .int()
      .min(1)
      .default(1)
      .describe(
        "bpe with text.share merges: a piece is in this side's vocabulary only if the side's own text gives it so often; rarer ones are cut into smaller pieces, so no piece is left untrained (subword-nmt's vocabulary threshold; 50 is its usual value).",
      ),
    dropout: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe(
        'bpe: probability that a merge is passed over when a training pair is cut, anew in every epoch (BPE-dropout, Provilkov et al. 2020); 0.1 is usual. Never when translating.',
      ),
    normalize: z
      .array(z.enum(normalizationSteps as [NormalizationStep, ...NormalizationStep[]]))
      .default(['nfc'])
      .describe('Steps that make texts alike before they are cut, in order; kept with the model.'),
  })
  .prefault({});

const text = z
  .strictObject({
    source: side.describe('How source text becomes pieces.'),
    target: side.describe('How target text becomes pieces.'),
    share: z
      .enum(['nothing', 'merges', 'vocabulary'])
      .default('nothing')
      .describe(
        'merges: one bpe learned from both sides, each side keeping the pieces it needs; vocabulary: one tokenizer and one vocabulary. Both take the settings of text.source (sideMinFrequency is each side’s own).',
      ),
    maxPieces: z
      .int()
      .min(1)
      .default(200)
      .describe(
        'Training pairs with more pieces on a side are left out; longer input is translated sentence by sentence, and what is still too long is cut, with a warning.',
      ),
  })
  .prefault({})
  .describe('How text becomes token ids.');

const model = modelConfigSchema
  .omit({
    sourceVocabulary: true,
    targetVocabulary: true,
    copyMap: true,
    padId: true,
    unkId: true,
    bosId: true,
    eosId: true,
    seed: true,
  })
  .extend({
    preset: z
      .enum(['notes-plain', 'notes-dot', 'notes-qkv', 'notes-additive'])
      .nullable()
      .default(null)
      .describe('A model of the course notes; model.hiddenSize is then all there is to set.'),
    hiddenSize: z.int().min(1).nullable().default(null).describe("The preset's size; default 128."),
  })
  .prefault({})
  .describe('The network.');

const training = trainOptionsSchema
  .omit({ maxSeconds: true, validateEvery: true, monitor: true, seed: true, workers: true })
  .extend({
    epochs: z.int().min(1).optional().describe('Stop after so many passes over the data.'),
    maxMinutes: z.number().positive().optional().describe('Stop after so much time. `--max-minutes` sets it.'),
    batch: z
      .strictObject({
        size: z.int().min(1).default(64).describe('Pairs in a batch, or positions of a side where unit is tokens.'),
        unit: z
          .enum(['sentences', 'tokens'])
          .default('sentences')
          .describe('What size counts; tokens counts padding too.'),
      })
      .prefault({})
      .describe('Batches are filled with pairs of like lengths, in a new order every epoch.'),
    workers: z
      .int()
      .min(1)
      .optional()
      .describe('Threads, each with a part of every batch; default: one a core. `--workers` sets it.'),
  })
  .prefault({})
  .describe('How the network learns. One of epochs, steps and maxMinutes must be given.');

const validation = z
  .strictObject({
    every: z
      .union([z.literal('epoch'), z.int().min(1)])
      .default('epoch')
      .describe('Validate after every epoch, or every so many steps.'),
    scores: z
      .array(z.enum(scoreNames))
      .default(['exactMatch', 'bleu', 'chrf'])
      .describe('Scores of free-running translations.'),
    pairs: z
      .int()
      .min(0)
      .default(200)
      .describe('How many validation pairs are translated for the scores and samples; the loss takes all.'),
    samples: z.int().min(0).default(4).describe('Translations shown in the report, with their attention.'),
    best: z
      .enum(['loss', 'accuracy', ...scoreNames])
      .default('loss')
      .describe('What decides which checkpoint is the best.'),
    patience: z.int().min(1).nullable().default(null).describe('Stop after so many validations without a better one.'),
    bleuTokenizer: z
      .enum(['13a', 'intl', 'zh', 'char', 'none'])
      .nullable()
      .default(null)
      .describe('Default: by the target language.'),
    lowercase: z.boolean().default(false).describe('Scores ignore case.'),
    references: z
      .enum(['raw', 'normalized'])
      .default('raw')
      .describe(
        'What translations are compared with: the target texts as they are, or after the steps of text.target.normalize, which the signatures then name. Two scores of one data set compare only where this is the same.',
      ),
    stripStress: z
      .boolean()
      .default(false)
      .describe(
        "phonemeErrorRate, and wordErrorRate of words, ignore ARPAbet's stress digits; the scores called Unstressed always do.",
      ),
    items: z
      .enum(['sentences', 'words'])
      .default('sentences')
      .describe(
        'What a pair is. words: one word, in letters or phonemes; wordErrorRate is then the share of words that are not right as a whole.',
      ),
    variants: z
      .boolean()
      .default(false)
      .describe('Pairs with the same source are one item with several right answers.'),
  })
  .prefault({})
  .describe('What is measured while the network learns, and at the end on test.');

const checkpoint = z
  .strictObject({
    everyMinutes: z.number().positive().default(5).describe('Save at least so often; a validation saves too.'),
    keep: z.int().min(1).default(3).describe('Newest checkpoints that are kept; the best is kept always.'),
  })
  .prefault({})
  .describe('What survives a crash.');

const search = searchOptionsSchema
  .omit({ nBest: true, prefix: true, batchSize: true })
  .prefault({})
  .describe('How a trained model translates, unless the command line says otherwise.');

/** A run's config file: data, text, model, training, validation and search. */
export const runConfigSchema = z.strictObject({
  name: z.string().min(1).nullable().default(null).describe("Name of the run; default: the config file's."),
  out: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('Folder of the run; default: runs/NAME in the working folder. `--out` sets it.'),
  seed: z.int().min(0).default(1).describe('Seed of everything random: weights, order, dropout, splits.'),
  data,
  text,
  model,
  training,
  validation,
  checkpoint,
  search,
});

export type RunConfig = z.output<typeof runConfigSchema>;
export type SideConfig = RunConfig['text']['source'];

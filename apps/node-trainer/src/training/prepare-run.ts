import type { TextCodec } from '@seqloom/data-tokenizer';
import { type Seq2Seq, type TrainingCheckpoint, useBackend } from '@seqloom/seq2seq';
import type { ResolvedConfig } from '../config/load-config.js';
import { loadData } from '../data/load-data.js';
import { InputError } from '../errors.js';
import { describeBackend, describeMachine } from '../run/machine.js';
import type { StartRecord } from '../run/run-log.js';
import { buildModel } from './build-model.js';
import { type EncodedPart, encodePart } from './encoded-data.js';
import { EpochPlans } from './epoch-plans.js';
import type { ResumePoint } from './resume-run.js';
import { trainCodec } from './train-codec.js';

/** Everything a run needs before its first step. */
export interface PreparedRun {
  readonly config: ResolvedConfig;
  readonly codec: TextCodec;
  readonly model: Seq2Seq;
  readonly plans: EpochPlans;
  readonly train: EncodedPart;
  readonly valid: EncodedPart;
  readonly test: EncodedPart;
  readonly start: StartRecord;
  /** The state that a stopped run goes on from. */
  readonly resume: TrainingCheckpoint | undefined;
  /** What people should know before it begins. */
  readonly notes: readonly string[];
}

/** Reads the data, learns the vocabularies (or takes those of an earlier start), makes the network. Writes nothing. */
export async function prepareRun(config: ResolvedConfig, workers: number, resume?: ResumePoint): Promise<PreparedRun> {
  const backend = await useBackend();
  const data = await loadData(config);
  const codec = resume?.codec ?? (await trainCodec(data.train, config));
  const [train, valid, test] = [data.train, data.valid, data.test].map((part) => encodePart(part, codec)) as [
    EncodedPart,
    EncodedPart,
    EncodedPart,
  ];
  if (train.ids.length === 0) throw new InputError('there are no training pairs');
  if (config.training.movingAverage !== null && valid.ids.length === 0) {
    throw new InputError(
      'training.movingAverage needs validation pairs, with which the averaged weights are measured; got none',
    );
  }
  const model = buildModel(config, codec);
  const plans = new EpochPlans(train, codec, config);
  const parameters = model.parameters().reduce((sum, parameter) => sum + parameter.size, 0);
  const mean = (side: 'source' | 'target') =>
    train.ids.reduce((sum, pair) => sum + pair[side].length, 0) / train.ids.length;
  const start: StartRecord = {
    time: new Date().toISOString(),
    step: resume?.checkpoint.progress.step ?? 0,
    backend: describeBackend(backend),
    machine: describeMachine(),
    workers,
    parameters,
    vocabulary: { source: codec.source.size, target: codec.target.size },
    pairs: { train: train.ids.length, valid: valid.ids.length, test: test.ids.length },
    meanPieces: { source: mean('source'), target: mean('target') },
    lengths: { source: lengthCounts(train, 'source'), target: lengthCounts(train, 'target') },
    paddingWaste: plans.of(0).statistics(0).waste,
  };
  return {
    config,
    codec,
    model,
    plans,
    train,
    valid,
    test,
    start,
    resume: resume?.checkpoint,
    notes: [
      ...data.notes,
      ...introduce(start, { train: train.tooLong, measured: valid.tooLong + test.tooLong }, codec),
      ...(resume?.notes ?? []),
    ],
  };
}

/** How many sides have 0, 1, 2, … pieces. */
function lengthCounts({ ids }: EncodedPart, side: 'source' | 'target'): number[] {
  const counts: number[] = [];
  for (const pair of ids) {
    const { length } = pair[side];
    while (counts.length <= length) counts.push(0);
    counts[length]!++;
  }
  return counts;
}

function introduce(
  start: StartRecord,
  tooLong: { readonly train: number; readonly measured: number },
  codec: TextCodec,
): string[] {
  const { vocabulary, parameters, backend, workers } = start;
  const number = (value: number) => value.toLocaleString('en');
  const limit = `more than ${codec.maxPieces} pieces on a side (text.maxPieces)`;
  return [
    ...(tooLong.train > 0 ? [`${number(tooLong.train)} training pairs left out: ${limit}`] : []),
    ...(tooLong.measured > 0 ? [`${number(tooLong.measured)} pairs count in scores, but not in losses: ${limit}`] : []),
    `vocabularies: ${number(vocabulary.source)} source and ${number(vocabulary.target)} target pieces`,
    `${(100 * start.paddingWaste).toFixed(1)} % of the batches is padding`,
    `${number(parameters)} parameters, backend ${backend}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
  ];
}

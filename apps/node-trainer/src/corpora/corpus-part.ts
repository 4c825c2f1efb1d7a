/** The parts that a made corpus has. */
export type CorpusPart = 'train' | 'valid' | 'test';

/** A number for each part, so that each draws its own random stream of a seed. */
export const streamOf: Readonly<Record<CorpusPart, number>> = { train: 1, valid: 2, test: 3 };

import type { Attention } from './attention.js';
import { MultiHeadAttention } from './multi-head.js';
import { AdditiveAttention } from './scores/additive.js';
import { ConcatAttention } from './scores/concat.js';
import { DotAttention } from './scores/dot.js';
import { GeneralAttention } from './scores/general.js';
import { ScaledDotAttention } from './scores/scaled-dot.js';

/** The known scores. */
export const scoreNames = ['dot', 'scaled-dot', 'general', 'additive', 'concat', 'multi-head'] as const;

export type ScoreName = (typeof scoreNames)[number];

/** What `createAttention` takes: a score's name and the sizes around it. */
export interface CreateAttentionOptions {
  score: ScoreName;
  querySize: number;
  memorySize: number;
  /** Width inside an additive or concat score; querySize unless given. The other scores have no such layer. */
  hiddenSize?: number;
  /** Of multi-head attention, which needs it. */
  numHeads?: number;
  /** v becomes g v/‖v‖; additive and concat only. */
  normalized?: boolean;
  /** A coverage term in the score; additive and concat only. */
  coverage?: boolean;
  seed: number;
}

/**
 * An attention by the name of its score.
 *
 * @throws Error on an unknown name (it lists the known ones), on sizes that the score cannot take, and on `normalized` or
 * `coverage` for a score that has no such form
 * @example
 * const attention = createAttention({ score: 'general', querySize: 8, memorySize: 16, seed: 1 });
 * console.log([...attention.namedParameters()].map(([name, { shape }]) => `${name} [${shape}]`).join()); // → weight [8,16]
 */
export function createAttention(options: CreateAttentionOptions): Attention {
  const { score, querySize, memorySize, hiddenSize = querySize, numHeads, normalized, coverage, seed } = options;
  const additive = score === 'additive' || score === 'concat';
  for (const [name, asked] of Object.entries({ normalized, coverage })) {
    if (asked && !additive) throw new Error(`createAttention: ${name} needs score additive or concat; got ${score}`);
  }
  const forms = { hiddenSize, normalized: normalized ?? false, coverage: coverage ?? false, seed };
  switch (score) {
    case 'dot':
      return new DotAttention({ querySize, memorySize });
    case 'scaled-dot':
      return new ScaledDotAttention({ querySize, memorySize });
    case 'general':
      return new GeneralAttention({ querySize, memorySize, seed });
    case 'additive':
      return new AdditiveAttention({ querySize, memorySize, ...forms });
    case 'concat':
      return new ConcatAttention({ querySize, memorySize, ...forms });
    case 'multi-head':
      if (numHeads === undefined) throw new Error('createAttention: multi-head needs numHeads');
      return new MultiHeadAttention({ size: querySize, numHeads, keySize: memorySize, valueSize: memorySize, seed });
    default:
      throw new Error(`createAttention: score must be one of ${scoreNames.join(', ')}; got ${String(score)}`);
  }
}

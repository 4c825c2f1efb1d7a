import type { Batch } from './batch.js';
import { nextTurn } from './event-loop.js';
import type { Seq2Seq } from './model.js';

/** How well a model predicts true next tokens. A type, not an interface, so that it serves as `Metrics`. */
export type Evaluation = {
  /** Mean cross-entropy of a target token, in nats. */
  readonly loss: number;
  /** Target tokens, `<eos>` counted. */
  readonly tokens: number;
  /** e^loss. */
  readonly perplexity: number;
  /** Share of tokens that were the most probable one. */
  readonly accuracy: number;
};

/**
 * Loss and accuracy over batches under teacher forcing. It flatters: the model reads true tokens, never its own mistakes.
 * Translate as well to know how a model does on its own.
 *
 * @throws Error when there are no target tokens, and when a batch does not fit the model
 */
export async function evaluateLoss(
  model: Seq2Seq,
  batches: Iterable<Batch> | AsyncIterable<Batch>,
): Promise<Evaluation> {
  const sums = { loss: 0, tokens: 0, correct: 0 };
  for await (const batch of batches) {
    const { loss, tokens, correct } = model.evaluate(batch);
    sums.loss += loss;
    sums.tokens += tokens;
    sums.correct += correct;
    await nextTurn();
  }
  if (sums.tokens === 0) throw new Error('evaluateLoss: there must be target tokens; got none');
  const loss = sums.loss / sums.tokens;
  return { loss, tokens: sums.tokens, perplexity: Math.exp(loss), accuracy: sums.correct / sums.tokens };
}

import { splitSentences } from '@seqloom/data-tokenizer';
import { type Hypothesis, translate } from '@seqloom/seq2seq';
import type { Opened } from './open-model.js';
import type { Sentence } from './protocol.js';

/** As many as are worth reading. */
const MOST_ALTERNATIVES = 5;

/** Translates a text sentence by sentence; each is told anew at every token, and at its end with what else the search found. */
export async function translateText(
  opened: Opened,
  text: string,
  beam: number,
  view: (sentence: Sentence) => void,
  signal: AbortSignal,
): Promise<void> {
  const sentences = splitSentences(text, opened.codec.source.language ?? 'und');
  for (const [index, { text: source }] of sentences.entries()) {
    if (signal.aborted) return;
    await translateSentence(opened, index, source, beam, view, signal);
  }
}

async function translateSentence(
  { model, codec }: Opened,
  index: number,
  text: string,
  beam: number,
  view: (sentence: Sentence) => void,
  signal: AbortSignal,
): Promise<void> {
  const { ids, pieces } = codec.source.encode(text);
  const cut = ids.length > codec.maxPieces;
  const sentence: Sentence = {
    index,
    source: pieces.slice(0, codec.maxPieces),
    text: '',
    target: [],
    weights: [],
    hypotheses: [],
    cutAt: cut ? codec.maxPieces : null,
  };
  const tokens: number[] = [];
  const positions: number[] = [];
  const options = { beam, nBest: Math.min(beam, MOST_ALTERNATIVES), signal };
  const stream = translate(model, ids.subarray(0, codec.maxPieces), options);
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return view({ ...sentence, ...finished(value) });
    if (value.token === model.config.eosId) continue;
    tokens.push(value.token);
    positions.push(value.position);
    sentence.text = said(tokens, positions);
    if (value.attention) {
      sentence.target = codec.target.labels(tokens);
      sentence.weights.push([...value.attention]);
    }
    view(sentence);
  }

  /** A model that copies says <unk> for a word that only the source has: that word stands there. */
  function said(tokens: readonly number[], positions: readonly number[]): string {
    return codec.target.decode(tokens, model.copies ? (at) => pieces[positions[at] ?? -1] : undefined);
  }

  function finished(found: Hypothesis[]) {
    const hypotheses = found.map(({ tokens, positions, attention, score }) => ({
      text: said(tokens, positions),
      target: codec.target.labels(tokens),
      weights: attention.map((row) => [...row]),
      score,
    }));
    const { score: _, ...best } = hypotheses[0]!;
    return { ...best, hypotheses };
  }
}

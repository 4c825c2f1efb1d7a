import { AlignedText } from '../../normalize/aligned-text.js';
import type { Vocabulary } from '../../vocabulary.js';
import type { Dropout } from '../bpe/merge-rules.js';
import { readBpe } from '../bpe/read-bpe.js';
import type { DecodeOptions, EncodeOptions, Encoding, Tokenizer, TokenizerJSON } from '../tokenizer.js';
import { toWellFormed } from '../well-formed.js';
import { type AddedToken, AddedTokenFinder, readAddedTokens } from './added-tokens.js';
import { type DecoderStep, readDecoder } from './decoders.js';
import { JsonNode } from './json-node.js';
import { type NormalizerStep, readNormalizer } from './normalizers.js';
import { readPostProcessor } from './post-processors.js';
import { coveringMatches, type PreTokenizer, readPreTokenizer } from './pre-tokenizers.js';
import { readVocabulary } from './read-vocabulary.js';
import { WordLevelModel } from './word-level-model.js';
import type { Pieces, WordModel } from './word-model.js';

/** How a text is encoded. */
export interface PipelineEncodeOptions extends EncodeOptions {
  /** Add the special pieces that the file's post-processor wants around a text; default true, as in Hugging Face's. */
  readonly addSpecialTokens?: boolean;
}

/**
 * A tokenizer as a Hugging Face `tokenizer.json` describes it, of type BPE or WordLevel: added tokens are found,
 * the text between them is normalized, cut into words, and these into pieces. Where their libraries differ, this one
 * follows the Rust library.
 */
export class PipelineTokenizer implements Tokenizer {
  readonly vocabulary: Vocabulary;
  readonly #json: TokenizerJSON;
  readonly #model: WordModel;
  readonly #normalize: NormalizerStep;
  readonly #preTokenizer: PreTokenizer;
  readonly #decode: DecoderStep;
  readonly #raw: AddedTokenFinder;
  readonly #normalized: AddedTokenFinder;
  readonly #hidden: ReadonlySet<number>;
  readonly #before: readonly string[];
  readonly #after: readonly string[];

  /** @throws TokenizerFileError: one sentence that names what is wrong or not supported. */
  constructor(json: TokenizerJSON) {
    const root = new JsonNode(json, '');
    const model = root.get('model');
    const added = readAddedTokens(root.get('added_tokens'));
    const unknown = model.get('unk_token').stringOr(null);
    this.#json = json;
    this.#normalize = readNormalizer(root.get('normalizer'));
    this.#preTokenizer = readPreTokenizer(root.get('pre_tokenizer'));
    this.#decode = readDecoder(root.get('decoder'));
    const type = modelType(model);
    this.vocabulary = readVocabulary(model.get('vocab'), added, unknown);
    this.#model =
      type === 'BPE'
        ? readBpe(model, this.vocabulary, this.#preTokenizer.byteLevel)
        : new WordLevelModel(this.vocabulary, this.#preTokenizer.byteLevel);
    this.#raw = new AddedTokenFinder(byContent(added.filter((token) => !token.normalized)));
    this.#normalized = new AddedTokenFinder(
      byContent(
        added.filter((token) => token.normalized),
        (content) => this.#normalize(AlignedText.of(content)).text,
      ),
    );
    this.#hidden = new Set(
      added.filter((token) => token.special && token.content !== unknown).map((token) => token.id),
    );
    const { before, after } = readPostProcessor(root.get('post_processor'));
    const foreign = [...before, ...after].find((token) => !this.vocabulary.has(token));
    if (foreign !== undefined)
      root.get('post_processor').fail(`adds ${JSON.stringify(foreign)}, which is not in the vocabulary`);
    this.#before = before;
    this.#after = after;
  }

  get size(): number {
    return this.vocabulary.size;
  }

  encode(text: string, options: PipelineEncodeOptions = {}): Encoding {
    const output = new EncodingBuilder(text, this.vocabulary);
    const surround = options.addSpecialTokens ?? true;
    if (surround) for (const token of this.#before) output.add(this.vocabulary.id(token), token, 0, 0);
    this.#raw.split(AlignedText.of(toWellFormed(text))).forEach((section, index) => {
      if (section.token !== undefined) {
        output.addToken(section.token, section.text);
        return;
      }
      for (const part of this.#normalized.split(this.#normalize(section.text))) {
        if (part.token !== undefined) output.addToken(part.token, part.text);
        else this.#encodeWords(part.text, index === 0, options.dropout, output);
      }
    });
    if (surround)
      for (const token of this.#after) output.add(this.vocabulary.id(token), token, text.length, text.length);
    return output.build();
  }

  #encodeWords(text: AlignedText, first: boolean, dropout: Dropout | undefined, output: EncodingBuilder): void {
    const words = coveringMatches(text.text, this.#preTokenizer.pattern);
    if (words === undefined) {
      for (const word of this.#preTokenizer.cut(text, first))
        output.addPieces(this.#model.cut(word.text, dropout), word, 0);
      return;
    }
    let at = 0;
    for (const word of words) {
      output.addPieces(this.#model.cut(word, dropout), text, at);
      at += word.length;
    }
  }

  decode(ids: ArrayLike<number>, options: DecodeOptions = {}): string {
    const tokens: string[] = [];
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number;
      if (options.keepSpecial || !this.#hidden.has(id)) tokens.push(this.vocabulary.token(id));
    }
    return this.#decode(tokens).join('');
  }

  toJSON(): TokenizerJSON {
    return this.#json;
  }
}

/** What the file calls its model. Files older than the field have merges if and only if they are BPE. */
function modelType(model: JsonNode): 'BPE' | 'WordLevel' {
  const type = model.get('type').stringOr(model.get('merges').isMissing ? undefined : 'BPE');
  if (type === 'BPE' || type === 'WordLevel') return type;
  return model.get('type').fail(`must be BPE or WordLevel; got ${type ?? 'nothing'}`);
}

function byContent(tokens: readonly AddedToken[], of = (content: string) => content): Map<string, AddedToken> {
  return new Map(
    tokens.map((token): [string, AddedToken] => [of(token.content), token]).filter(([content]) => content !== ''),
  );
}

/** Collects pieces, and trims the spaces off their offsets. */
class EncodingBuilder {
  readonly #text: string;
  readonly #vocabulary: Vocabulary;
  readonly #ids: number[] = [];
  readonly #tokens: string[] = [];
  readonly #offsets: [number, number][] = [];

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text;
    this.#vocabulary = vocabulary;
  }

  addToken(token: AddedToken, text: AlignedText): void {
    const [start, end] = text.span(0, text.text.length);
    this.add(token.id, token.content, start, end);
  }

  /** Adds a word's pieces; the word begins at `at` in `text`. */
  addPieces(pieces: Pieces, text: AlignedText, at: number): void {
    for (let i = 0; i < pieces.length; i += 3) {
      const id = pieces[i] as number;
      const [start, end] = text.span(at + (pieces[i + 1] as number), at + (pieces[i + 2] as number));
      // What is unknown is shown as it stands in the text.
      const token =
        id === this.#vocabulary.unknownId ? this.#text.slice(start, end) : (this.#vocabulary.tokens[id] as string);
      this.add(id, token, start, end);
    }
  }

  add(id: number, token: string, start: number, end: number): void {
    this.#ids.push(id);
    this.#tokens.push(token);
    this.#offsets.push(this.#trim(start, end));
  }

  // A piece of nothing but spaces keeps them: they are what it stands for.
  #trim(start: number, end: number): [number, number] {
    let from = start;
    let to = end;
    while (from < to && isSpace(this.#text.charCodeAt(from))) from++;
    while (to > from && isSpace(this.#text.charCodeAt(to - 1))) to--;
    return from === to ? [start, end] : [from, to];
  }

  build(): Encoding {
    return { ids: new Int32Array(this.#ids), tokens: this.#tokens, offsets: this.#offsets };
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0 || unit === 0x3000;
}

import { BahdanauDecoder } from './bahdanau.js';
import { ConcatDecoder } from './concat.js';
import type { Decoder } from './decoder.js';
import { LuongDecoder } from './luong.js';
import { PlainDecoder } from './plain.js';
import { QkvDecoder } from './qkv.js';
import type { RecurrentDecoderOptions } from './recurrent-decoder.js';

const KINDS = {
  plain: PlainDecoder,
  luong: LuongDecoder,
  concat: ConcatDecoder,
  bahdanau: BahdanauDecoder,
  qkv: QkvDecoder,
};

/** The decoder that `config.decoder.kind` names. */
export function createDecoder(options: RecurrentDecoderOptions): Decoder {
  return new KINDS[options.config.decoder.kind](options);
}

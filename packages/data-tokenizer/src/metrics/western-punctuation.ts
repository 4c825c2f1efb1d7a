// The rules of NIST's mteval-v13a for text in Western languages. BLEU's `13a` and `zh` and TER's normalization share
// them. They put spaces around marks and leave it to the caller to split at spaces.

/** Separates ASCII marks, except apostrophe, full stop, comma and hyphen. */
export function separateMarks(text: string): string {
  return text.replace(/[{-~[-` -&(-+:-@/]/g, ' $& ');
}

/** Separates full stop and comma unless digits are on both sides, and the hyphen after a digit. */
export function separateStopsAndHyphens(text: string): string {
  return text
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ');
}

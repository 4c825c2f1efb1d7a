/**
 * A set of strings that keeps 48 bits of a 56-bit hash of each, in six bytes, instead of the strings: 20 million pairs
 * take about 200 MB. Two different strings are taken for one with probability n / 2^56 (n strings held).
 *
 * The first eight bits choose one of 256 tables, which grow one at a time: growing never needs twice the memory.
 */
export class HashSet {
  /** How many different strings were added. */
  size = 0;
  readonly #tables = Array.from({ length: 256 }, () => new Table());

  /** Adds a string, which may be a part of another; false if it was there. */
  add(text: string, start = 0, end = text.length): boolean {
    let a = 0x9e3779b9;
    let b = 0x7f4a7c15;
    for (let i = start; i < end; i++) {
      const unit = text.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x85ebca6b);
      a ^= a >>> 15;
      b = Math.imul(b ^ unit, 0xc2b2ae35);
      b ^= b >>> 13;
    }
    a = Math.imul(a ^ (b >>> 16), 0x27d4eb2f);
    a ^= a >>> 15;
    const isNew = (this.#tables[b & 0xff] as Table).add(a >>> 0, (b >>> 8) & 0xffff);
    if (isNew) this.size++;
    return isNew;
  }
}

/** Open addressing with linear probing; a high half of 0 marks a free slot, so it is stored plus one. */
class Table {
  #size = 0;
  #low = new Uint32Array(16);
  #high = new Uint16Array(16);

  add(low: number, high: number): boolean {
    const stored = high === 0xffff ? high : high + 1;
    if (this.#find(low, stored)) return false;
    if (++this.#size > this.#low.length * 0.85) this.#grow();
    return true;
  }

  // Looks a key up and puts it in the free slot where the search ended.
  #find(low: number, high: number): boolean {
    const mask = this.#low.length - 1;
    let slot = low & mask;
    while (this.#high[slot] !== 0) {
      if (this.#low[slot] === low && this.#high[slot] === high) return true;
      slot = (slot + 1) & mask;
    }
    this.#low[slot] = low;
    this.#high[slot] = high;
    return false;
  }

  #grow(): void {
    const lows = this.#low;
    const highs = this.#high;
    this.#low = new Uint32Array(lows.length * 2);
    this.#high = new Uint16Array(lows.length * 2);
    for (let i = 0; i < lows.length; i++) {
      if (highs[i] !== 0) this.#find(lows[i] as number, highs[i] as number);
    }
  }
}

/** Numbers pairs of symbol ids 0, 1, 2, … in the order they are first seen: a hash table on typed arrays. */
export class PairTable {
  size = 0;
  #left = new Int32Array(1024);
  #right = new Int32Array(1024);
  // Slots hold a pair's number plus one; 0 is free. At most half of them are taken.
  #slots = new Int32Array(2048);

  left(pair: number): number {
    return this.#left[pair] as number;
  }

  right(pair: number): number {
    return this.#right[pair] as number;
  }

  /** The pair's number, or -1. */
  find(left: number, right: number): number {
    return (this.#slots[this.#slotOf(left, right)] as number) - 1;
  }

  /** The pair's number, a new one if it has none. */
  add(left: number, right: number): number {
    const slot = this.#slotOf(left, right);
    const known = this.#slots[slot] as number;
    if (known !== 0) return known - 1;
    const pair = this.size++;
    if (this.size > this.#left.length) this.#grow();
    this.#left[pair] = left;
    this.#right[pair] = right;
    this.#slots[this.#slotOf(left, right)] = pair + 1;
    return pair;
  }

  #slotOf(left: number, right: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (let held = slots[slot] as number; held !== 0; held = slots[slot] as number) {
      if (this.#left[held - 1] === left && this.#right[held - 1] === right) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    this.#left = doubled(this.#left);
    this.#right = doubled(this.#right);
    this.#slots = new Int32Array(this.#left.length * 2);
    for (let pair = 0; pair < this.size - 1; pair++) {
      this.#slots[this.#slotOf(this.left(pair), this.right(pair))] = pair + 1;
    }
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(array.length * 2);
  twice.set(array);
  return twice;
}

/** A list of 32-bit integers that grows: half the memory of an array of numbers. */
export class IntegerList {
  length = 0;
  #room = new Int32Array(1024);

  at(index: number): number {
    return this.#room[index] as number;
  }

  set(index: number, value: number): void {
    this.#room[index] = value;
  }

  push(value: number): void {
    if (this.length === this.#room.length) {
      const room = new Int32Array(this.length * 2);
      room.set(this.#room);
      this.#room = room;
    }
    this.#room[this.length++] = value;
  }

  /** What is in it; valid until the next push. */
  toArray(): Int32Array {
    return this.#room.subarray(0, this.length);
  }
}

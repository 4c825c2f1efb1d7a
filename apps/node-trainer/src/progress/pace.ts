/** What ends a run: whichever comes first. */
export interface RunLimits {
  readonly steps?: number | undefined;
  readonly epochs?: number | undefined;
  readonly seconds?: number | undefined;
}

/** Smoothed loss and the time that is left, from the steps seen so far. */
export class Pace {
  readonly #limits: RunLimits;
  readonly #stepsPerEpoch: number | undefined;
  readonly #start: number;
  #first: number | undefined;
  #loss: number | undefined;

  constructor(limits: RunLimits, stepsPerEpoch: number | undefined, now: number) {
    this.#limits = limits;
    this.#stepsPerEpoch = stepsPerEpoch;
    this.#start = now;
  }

  /** Mean of the losses, the last ~50 weighing most. */
  smooth(loss: number): number {
    this.#loss = this.#loss === undefined ? loss : this.#loss + (loss - this.#loss) * 0.04;
    return this.#loss;
  }

  /** The part of the run that is done, and the seconds that are left at this run's own speed. */
  at(step: number, now: number): { done: number | undefined; secondsLeft: number | undefined } {
    const { steps, epochs, seconds } = this.#limits;
    const elapsed = (now - this.#start) / 1000;
    this.#first ??= step - 1;
    const perStep = elapsed / Math.max(1, step - this.#first);
    const ends: { done: number; left: number }[] = [];
    const last = Math.min(
      steps ?? Infinity,
      epochs !== undefined && this.#stepsPerEpoch ? epochs * this.#stepsPerEpoch : Infinity,
    );
    if (Number.isFinite(last)) ends.push({ done: Math.min(1, step / last), left: Math.max(0, last - step) * perStep });
    if (seconds !== undefined)
      ends.push({ done: Math.min(1, elapsed / seconds), left: Math.max(0, seconds - elapsed) });
    const [soonest] = ends.sort((a, b) => a.left - b.left);
    return { done: soonest?.done, secondsLeft: soonest?.left };
  }
}

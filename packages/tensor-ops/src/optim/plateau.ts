export interface PlateauOptions {
  learningRate: number;
  /** Factor on the rate when nothing has improved for long enough; default 0.1. */
  factor?: number;
  /** Measurements without improvement that are put up with; default 10. */
  patience?: number;
  /** Whether a good measure is small (a loss) or large (a score). */
  mode?: 'min' | 'max';
  /** Improvement that counts, as a share of the best; default 1e-4. */
  threshold?: number;
  /** Measurements after a cut during which none is counted; default 0. */
  cooldown?: number;
  /** The rate never falls below; default 0. */
  minimum?: number;
}

/** Smaller cuts are not made. */
const SMALLEST_CUT = 1e-8;

/** What a plateau remembers; plain JSON (`best` is null before the first measurement). */
export interface PlateauState {
  learningRate: number;
  best: number | null;
  badCount: number;
  cooldownLeft: number;
}

/**
 * Cuts the learning rate when a measure stops improving. The numbers are those of PyTorch's ReduceLROnPlateau.
 *
 * @example
 * const plateau = new Plateau({ learningRate: 1e-3, factor: 0.5, patience: 1 });
 * for (const loss of [2, 1, 1, 1]) plateau.observe(loss);
 * console.log(plateau.learningRate); // → 0.0005
 */
export class Plateau {
  private readonly settings: Required<PlateauOptions>;
  private state: PlateauState;

  /** @throws Error when the factor is not in (0, 1) */
  constructor(options: PlateauOptions) {
    const defaults = { factor: 0.1, patience: 10, mode: 'min', threshold: 1e-4, cooldown: 0, minimum: 0 } as const;
    this.settings = { ...defaults, ...options };
    const { factor, learningRate } = this.settings;
    if (!(factor > 0 && factor < 1)) throw new Error(`Plateau: factor must be in (0, 1); got ${factor}`);
    if (!(learningRate >= 0)) throw new Error(`Plateau: learningRate must be 0 or more; got ${learningRate}`);
    this.state = { learningRate, best: null, badCount: 0, cooldownLeft: 0 };
  }

  /** The rate to take now. */
  get learningRate(): number {
    return this.state.learningRate;
  }

  /** Takes in a measurement; NaN counts as no improvement. */
  observe(measure: number): void {
    const { state, settings } = this;
    if (this.improves(measure)) {
      state.best = measure;
      state.badCount = 0;
    } else {
      state.badCount++;
    }
    if (state.cooldownLeft > 0) {
      state.cooldownLeft--;
      state.badCount = 0;
    }
    if (state.badCount > settings.patience) {
      const cut = Math.max(settings.minimum, state.learningRate * settings.factor);
      if (state.learningRate - cut > SMALLEST_CUT) state.learningRate = cut;
      state.cooldownLeft = settings.cooldown;
      state.badCount = 0;
    }
  }

  stateDict(): PlateauState {
    return { ...this.state };
  }

  loadStateDict(state: PlateauState): void {
    this.state = { ...state };
  }

  private improves(measure: number): boolean {
    const { mode, threshold } = this.settings;
    const { best } = this.state;
    if (Number.isNaN(measure)) return false;
    if (best === null) return true;
    return mode === 'min' ? measure < best * (1 - threshold) : measure > best * (1 + threshold);
  }
}

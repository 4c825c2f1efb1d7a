/** How far a run is and how it does: what every view shows in its own way. */
export interface StepStatus {
  readonly step: number;
  readonly epoch: number;
  /** Mean loss a token, smoothed over the last steps. */
  readonly loss: number;
  readonly tokensPerSecond: number;
  readonly learningRate: number;
  /** Part of the run that is done, in [0, 1]; undefined where it has no end. */
  readonly done: number | undefined;
  readonly secondsLeft: number | undefined;
}

export interface ProgressView {
  step(status: StepStatus): void;
  /** A line that stays: a validation's result, a warning (empty: only machines want to know). `fields` is the same for machines. */
  note(text: string, fields: Readonly<Record<string, unknown>>): void;
  close(): void;
}

export const quietView: ProgressView = { step() {}, note() {}, close() {} };

export function perplexity(loss: number): number {
  return Math.exp(loss);
}

/** `4:05`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The numbers of a step as people read them. */
export function describeStep(status: StepStatus): string {
  const parts = [
    `epoch ${status.epoch}`,
    `step ${status.step}`,
    `loss ${status.loss.toFixed(3)}`,
    `ppl ${formatPerplexity(status.loss)}`,
    `${Math.round(status.tokensPerSecond).toLocaleString('en')} tokens/s`,
  ];
  if (status.secondsLeft !== undefined) parts.push(`${clock(status.secondsLeft)} left`);
  parts.push(`${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`);
  return parts.join(' · ');
}

function formatPerplexity(loss: number): string {
  const value = perplexity(loss);
  return value < 1000
    ? value.toPrecision(3)
    : value < 1e6
      ? Math.round(value).toLocaleString('en')
      : value.toExponential(1);
}

import { barView } from './bar-view.js';
import { jsonView } from './json-view.js';
import { lineView } from './line-view.js';
import { type ProgressView, quietView } from './view.js';

export interface ViewChoice {
  readonly quiet?: boolean | undefined;
  readonly log?: 'json' | 'text' | undefined;
}

/** JSON lines go to standard output, everything for people to standard error. */
export function createView({ quiet, log }: ViewChoice): ProgressView {
  if (log === 'json') return jsonView(process.stdout);
  if (quiet) return quietView;
  return process.stderr.isTTY && log === undefined && !process.env.CI
    ? barView(process.stderr)
    : lineView(process.stderr);
}

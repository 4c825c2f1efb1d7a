import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
  process.env.SEQLOOM_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A Chromium of this machine; undefined where there is none. Under CI there has to be one. */
export function chromiumPath(): string | undefined {
  const path = CANDIDATES.find((candidate) => candidate !== undefined && existsSync(candidate));
  if (!path && process.env.CI) throw new Error('the browser tests need Chromium: apt-get install chromium');
  return path;
}

export function launch(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  return chromium.launch({ executablePath, args: [...args, '--disable-component-update', '--disable-sync'] });
}

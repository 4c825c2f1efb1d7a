// `pnpm web`: builds the page with the demo model, which is trained first where there is none, and serves it on this machine.
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { ensureDemoModel } from './demo-model.js';

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

if (!process.env.SEQLOOM_MODEL) ensureDemoModel('inherit');
await build({ configFile, logLevel: 'warn' });
const server = await preview({ configFile });
server.printUrls();

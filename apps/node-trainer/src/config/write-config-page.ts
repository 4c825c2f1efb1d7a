import { writeFileSync } from 'node:fs';
import { configPage } from './config-page.js';

writeFileSync(new URL('../../../../docs/config.md', import.meta.url), configPage());

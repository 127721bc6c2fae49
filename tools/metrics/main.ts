/** `npm run metrics`: writes docs/reference/metrics.md anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricsPage } from './page.ts';

writeFileSync(join(import.meta.dirname, '../../docs/reference/metrics.md'), await metricsPage());

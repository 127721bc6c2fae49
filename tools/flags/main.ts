// Writes docs/reference/flags.md: every flag, and what it does here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagsPage } from './page.ts';

const file = join(import.meta.dirname, '../../docs/reference/flags.md');
writeFileSync(file, flagsPage());
console.log(`written: ${file}`);

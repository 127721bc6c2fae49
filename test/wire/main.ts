/**
 * `npm run test:wire`: what upstream's published modules settle about types and codecs. Needs Go, which finds or downloads the modules.
 * Arguments are passed on to `node --test`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { locateModules } from '../../tools/generate/modules.ts';

const folder = import.meta.dirname;
const modules = locateModules();
const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name));
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...process.argv.slice(2), ...files], {
  stdio: 'inherit',
  env: { ...process.env, KUBERNETES_MODULES: JSON.stringify(modules) },
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;

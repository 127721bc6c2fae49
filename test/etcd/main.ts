/**
 * `npm run test:etcd`: everything that needs a real etcd. Finds or builds one first (see etcd-binary.ts) and fails when there is none;
 * the tests start and stop their own members on loopback. Arguments are passed on to `node --test`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findEtcd } from './etcd-binary.ts';

const folder = import.meta.dirname;
const etcd = await findEtcd();
console.error(`testing with ${etcd}`);
const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name));
const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...process.argv.slice(2), ...files], {
  stdio: 'inherit',
  env: { ...process.env, ETCD: etcd },
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;

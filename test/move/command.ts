import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const executable = join(import.meta.dirname, '../../bin/kube-apiserver');
const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** One of our commands, to its end; throws when it ends badly. */
export async function command(...args: string[]): Promise<string> {
  const { code, out, err } = await attempt(...args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`);
  return out.trim();
}

export async function attempt(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** The same, killed after a while; resolves to whether it was. */
export async function killed(ms: number, ...args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await Promise.race([ended, sleep(ms)]);
  child.kill('SIGKILL');
  return ((await ended) as [number | null, string | null])[1] === 'SIGKILL';
}

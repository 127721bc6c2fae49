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
  const { signal } = await ended(ms, 'SIGKILL', args);
  return signal === 'SIGKILL';
}

/** The same, asked to end after a while; resolves to whether it was, and throws unless it says how to go on. */
export async function interrupted(ms: number, ...args: string[]): Promise<boolean> {
  const { code, signal, err } = await ended(ms, 'SIGTERM', args);
  // Done already, or it had not begun.
  if (code === 0 || signal === 'SIGTERM') return false;
  const expected = `Interrupted: to go on from there, run it again: kube-apiserver ${args.join(' ')}\n`;
  if (code !== 143 || !err.endsWith(expected)) throw new Error(`${args.join(' ')} ended with ${code} after SIGTERM: ${err}`);
  return true;
}

async function ended(
  ms: number,
  by: NodeJS.Signals,
  args: readonly string[],
): Promise<{ code: number | null; signal: string | null; err: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  await Promise.race([closed, sleep(ms)]);
  child.kill(by);
  const [code, signal] = await closed;
  return { code, signal, err };
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** For machines without `go`: API types of 1.37 with their comments, made from the OpenAPI document. */
const pulumi = {
  name: '@pulumi/kubernetes',
  version: '4.34.2',
  integrity: 'sha512-OcIe8OUwivkEngmjinrmke54INbJ0L6u/CWm8mLh6F7pmIDXyHGTM8PzcZsg5QbSm24HnNUHLl2tEUoOBxDo3w==',
} as const;

/**
 * The archive of the package, downloaded once. It never becomes a dependency: what it would drag along is a hundred times what is read.
 */
export async function archiveOf(cache: string): Promise<Buffer> {
  const { name, version, integrity } = pulumi;
  await mkdir(cache, { recursive: true });
  const file = join(cache, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined && integrityOf(kept) === integrity) return kept;
  const incoming = join(cache, 'incoming');
  await mkdir(incoming, { recursive: true });
  try {
    const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--silent', '--fetch-retries=0', '--pack-destination', incoming]);
    const packed = join(incoming, stdout.trim().split('\n').at(-1) as string);
    const archive = await readFile(packed);
    if (integrityOf(archive) !== integrity) throw new Error(`${name}@${version} is not what it was when it was chosen`);
    await rename(packed, file);
    return archive;
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

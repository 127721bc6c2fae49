import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const ownerOnly = 0o700;

/** As mkdir with `recursive`, which never returns where a folder cannot be made below one that exists, as below /proc. */
export async function makeDirectory(path: string, mode = ownerOnly): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new Error('it is a file');
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent, mode);
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** The same for those who start a process. */
export function makeDirectorySync(path: string, mode = ownerOnly): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new Error('it is a file');
  const parent = dirname(path);
  if (parent !== path) makeDirectorySync(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

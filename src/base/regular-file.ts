import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** far above what any configuration needs */
const maxBytes = 64 << 20;
/** what is read without a thread */
const maxBytesAtOnce = 1 << 20;
const tries = 5;

/**
 * What a file holds that may have become anything: opening a FIFO would wait for a writer, and take one of the few threads for files with it,
 * and devices have no end. Each call goes to such a thread and back, which takes long on a busy machine: there are only two, one after the other.
 */
export async function readRegularFile(file: string): Promise<Buffer> {
  for (let index = 0; index < tries; index++) {
    const [status, opened] = await Promise.allSettled([stat(file), open(file, constants.O_RDONLY | constants.O_NONBLOCK)]);
    if (opened.status === 'rejected') throw opened.reason;
    const handle = opened.value;
    try {
      if (status.status === 'rejected') throw status.reason;
      const { size } = status.value;
      requireRegular(file, status.value, maxBytes);
      const bytes = Buffer.allocUnsafe(size + 1);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      if (bytesRead === size) return bytes.subarray(0, size);
    } finally {
      void closed(handle);
    }
  }
  throw new Error(`read ${file}: it does not stop changing`);
}

/** A file that was put in place a moment ago, at once. Throws when it is empty: it is about to be written. One that is large takes a thread. */
export function readWrittenFileSync(file: string): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor);
    requireRegular(file, status, maxBytesAtOnce);
    const bytes = Buffer.allocUnsafe(status.size + 1);
    const count = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (count !== status.size || count === 0) throw new Error(`read ${file}: it is being written`);
    return bytes.subarray(0, count);
  } finally {
    closeSync(descriptor);
  }
}

function requireRegular(file: string, status: Stats, most: number): void {
  if (status.isDirectory()) throw new Error(`read ${file}: is a directory`);
  if (!status.isFile()) throw new Error(`read ${file}: not a regular file`);
  if (status.size > most) throw new Error(`read ${file}: ${status.size} bytes are too many`);
}

/** Not waited for: nothing was written, so there is nothing to learn from it either. */
async function closed(handle: FileHandle): Promise<void> {
  await handle.close().catch(() => undefined);
}

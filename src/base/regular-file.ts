import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** far above what any configuration needs */
const maxBytes = 64 << 20;
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
      if (status.value.isDirectory()) throw new Error(`read ${file}: is a directory`);
      if (!status.value.isFile()) throw new Error(`read ${file}: not a regular file`);
      if (size > maxBytes) throw new Error(`read ${file}: ${size} bytes are too many`);
      const bytes = Buffer.allocUnsafe(size + 1);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      if (bytesRead === size) return bytes.subarray(0, size);
    } finally {
      void closed(handle);
    }
  }
  throw new Error(`read ${file}: it does not stop changing`);
}

/** Not waited for: nothing was written, so there is nothing to learn from it either. */
async function closed(handle: FileHandle): Promise<void> {
  await handle.close().catch(() => undefined);
}

import fs from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that is written by position and made durable by `sync`. Tests put one that fails in its place. */
export interface WritableFile {
  write(bytes: Buffer, position: number): Promise<void>;
  /** Resolves when everything written before is on the disk. */
  sync(): Promise<void>;
  /** Resolves when these bytes are on the disk. */
  writeThrough(bytes: Buffer, position: number): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Creates or empties a file. */
  create(path: string): Promise<WritableFile>;
}

/** What is stored are secrets too. */
export const ownerOnly = 0o600;

export const diskFiles: Files = {
  async create(path) {
    const handle = await open(path, 'w+', ownerOnly);
    let through: FileHandle | undefined;
    // This is the path of every commit: one call of one thread in place of two saves it half of the system's time. Only Linux is known
    // to wait for the disk's own cache then.
    try {
      if (process.platform === 'linux') through = await open(path, fs.constants.O_WRONLY | fs.constants.O_DSYNC);
    } catch (error) {
      await handle.close();
      throw error;
    }
    const durable = through?.fd;
    const write: WritableFile['write'] = (bytes, position) => writeAt(handle.fd, bytes, position);
    const sync: WritableFile['sync'] = () =>
      new Promise((resolve, reject) => fs.fdatasync(handle.fd, (error) => (error === null ? resolve() : reject(error))));
    return {
      write,
      sync,
      writeThrough:
        durable === undefined
          ? (bytes, position) => write(bytes, position).then(sync)
          : (bytes, position) => writeAt(durable, bytes, position),
      async close() {
        await through?.close();
        await handle.close();
      },
    };
  },
};

/** With callbacks and the bare descriptor, as the path of every commit has it. */
function writeAt(fd: number, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const writeFrom = (start: number): void =>
      fs.write(fd, bytes, start, bytes.length - start, position + start, (error, written) => {
        if (error !== null) reject(error);
        else if (start + written < bytes.length) writeFrom(start + written);
        else resolve();
      });
    writeFrom(0);
  });
}

/** Gives a complete, synced file its final name, durably. */
export async function publish(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Writes a file that is there whole or not at all: under another name first, which `check` may still refuse. */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Buffer>,
  check?: (unfinished: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.tmp`;
  const file = await diskFiles.create(unfinished);
  try {
    try {
      let position = 0;
      for await (const piece of pieces) {
        await file.write(piece, position);
        position += piece.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await check?.(unfinished);
    await publish(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory; its renames are durable with the journal.
  if (process.platform === 'win32') return;
  await using handle = await open(directory, 'r');
  await handle.sync();
}

/** Memory for what is done with before the next is read. */
export class ReusedBuffer {
  #buffer = Buffer.allocUnsafeSlow(0);

  take(length: number): Buffer {
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length);
    return this.#buffer.subarray(0, length);
  }

  /** Gives it back at once: what was read is gone. */
  [Symbol.dispose](): void {
    this.#buffer.buffer.transfer(0);
  }
}

/** Reads a file piece by piece. `carry` bytes that the caller could not use yet come again at the front of the next piece. */
export class PieceReader {
  readonly #fd: number;
  readonly #pieceSize: number;
  #position: number;
  #rest: Buffer = Buffer.alloc(0);

  readonly #memory: ReusedBuffer | undefined;

  /** `memory`: a piece is gone when the next is read */
  constructor(fd: number, position: number, pieceSize: number, memory?: ReusedBuffer) {
    this.#fd = fd;
    this.#position = position;
    this.#pieceSize = pieceSize;
    this.#memory = memory;
  }

  /** Position in the file of the first byte of the last piece. */
  get start(): number {
    return this.#position - this.#rest.length;
  }

  /** The unread rest and more; undefined at the end of the file. `atLeast` asks for a longer piece, for a record that is longer. */
  async next(atLeast = 0): Promise<Buffer | undefined> {
    const rest = this.#rest;
    const length = rest.length + Math.max(this.#pieceSize, atLeast - rest.length);
    const piece = this.#memory?.take(length) ?? Buffer.allocUnsafeSlow(length);
    rest.copy(piece);
    const read = await readAt(this.#fd, piece, rest.length, this.#position);
    if (read === 0) return undefined;
    this.#position += read;
    return (this.#rest = piece.subarray(0, rest.length + read));
  }

  /** The first `count` bytes of the last piece have been used. */
  consume(count: number): void {
    this.#rest = this.#rest.subarray(count);
  }
}

export function readAt(fd: number, target: Buffer, offset: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const readFrom = (at: number): void =>
      fs.read(fd, target, at, target.length - at, position + at - offset, (error, count) => {
        if (error !== null) reject(error);
        else if (count > 0 && at + count < target.length) readFrom(at + count);
        else resolve(at + count - offset);
      });
    readFrom(offset);
  });
}

// Upstream: gopkg.in/natefinch/lumberjack.v2/lumberjack.go, k8s.io/apiserver/pkg/server/options/audit.go
import { constants, createReadStream, createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../../base/clock.ts';
import { makeDirectory } from '../../../base/make-directory.ts';
import type { LineWriter } from './log-backend.ts';

export interface RotatingFileOptions {
  readonly path: string;
  /** bytes; 0: the file grows for ever */
  readonly maxSize: number;
  /** files that were rotated away and are kept; 0: all */
  readonly maxBackups: number;
  /** milliseconds that they are kept; 0: for ever */
  readonly maxAge: number;
  readonly compress: boolean;
  /** Old files could not be removed or compressed: nothing that keeps lines from being written. */
  onUntidy(error: unknown): void;
}

const megabyte = 1024 * 1024;

export function megabytes(count: number): number {
  return count * megabyte;
}

/** A file that is put aside when it is full. Lines that come while one is written are written together. */
export class RotatingFile implements LineWriter {
  readonly #options: RotatingFileOptions;
  readonly #clock: Clock;
  #file: FileHandle;
  #size: number;
  #queue: Promise<void> = Promise.resolve();
  #tidying: Promise<void> = Promise.resolve();
  #waiting: { readonly line: Buffer; readonly settle: (error?: Error) => void }[] = [];

  private constructor(options: RotatingFileOptions, clock: Clock, file: FileHandle, size: number) {
    this.#options = options;
    this.#clock = clock;
    this.#file = file;
    this.#size = size;
  }

  static async open(options: RotatingFileOptions, clock: Clock): Promise<RotatingFile> {
    await makeDirectory(dirname(options.path));
    const file = await openForAppend(options.path);
    const { size } = await file.stat();
    return new RotatingFile(options, clock, file, size);
  }

  write(line: string | Uint8Array): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({
      line: typeof line === 'string' ? Buffer.from(line) : Buffer.from(line.buffer, line.byteOffset, line.byteLength),
      settle: (error) => (error === undefined ? resolve() : reject(error)),
    });
    if (this.#waiting.length === 1) this.#queue = this.#queue.then(() => this.#flush());
    return promise;
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#file.close();
    await this.#tidying;
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    const { maxSize } = this.#options;
    for (let next = 0; next < lines.length;) {
      const together: typeof lines = [];
      let length = 0;
      for (; next < lines.length; next++) {
        const one = lines[next] as (typeof lines)[0];
        if (together.length > 0 && maxSize > 0 && this.#size + length + one.line.length > maxSize) break;
        together.push(one);
        length += one.line.length;
      }
      const error = await this.#append(
        together.map(({ line }) => line),
        length,
      );
      for (const { settle } of together) settle(error);
    }
  }

  async #append(lines: readonly Buffer[], length: number): Promise<Error | undefined> {
    const { maxSize } = this.#options;
    if (maxSize > 0 && length > maxSize) return new Error(`write length ${length} exceeds maximum file size ${maxSize}`);
    try {
      if (maxSize > 0 && this.#size + length > maxSize) await this.#rotate();
      await this.#file.appendFile(Buffer.concat(lines));
      this.#size += length;
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  async #rotate(): Promise<void> {
    const { path, onUntidy } = this.#options;
    await this.#file.close();
    try {
      await rename(path, backupName(path, this.#clock.now()));
    } finally {
      this.#file = await openForAppend(path);
      ({ size: this.#size } = await this.#file.stat());
    }
    this.#tidying = this.#tidying.then(() => this.#tidy()).catch(onUntidy);
  }

  /** Removes what is too old or too much, and compresses the rest where that is wanted. */
  async #tidy(): Promise<void> {
    const { path, maxBackups, maxAge, compress } = this.#options;
    const backups = await backupsOf(path);
    const oldest = maxAge === 0 ? -Infinity : this.#clock.now() - maxAge;
    for (const [index, { file, at, isCompressed }] of backups.entries()) {
      if ((maxBackups > 0 && index >= maxBackups) || at < oldest) await rm(file, { force: true });
      else if (compress && !isCompressed) await compressFile(file);
    }
  }
}

function openForAppend(path: string): Promise<FileHandle> {
  return open(path, constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY, 0o600);
}

/** `audit-2026-11-16T04-54-39.123.log` */
function backupName(path: string, now: number): string {
  const extension = extname(path);
  const stamp = new Date(now).toISOString().slice(0, -1).replaceAll(':', '-');
  return join(dirname(path), `${basename(path, extension)}-${stamp}${extension}`);
}

interface Backup {
  readonly file: string;
  readonly at: number;
  readonly isCompressed: boolean;
}

/** Newest first. */
async function backupsOf(path: string): Promise<Backup[]> {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  const names = await readdir(dirname(path));
  const backups = names.flatMap((name): Backup[] => {
    const isCompressed = name.endsWith(`${extension}.gz`);
    if (!name.startsWith(prefix) || !(isCompressed || name.endsWith(extension))) return [];
    const stamp = name.slice(prefix.length, prefix.length + 'yyyy-mm-ddThh-mm-ss.mmm'.length);
    const at = Date.parse(`${stamp.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')}Z`);
    return Number.isNaN(at) ? [] : [{ file: join(dirname(path), name), at, isCompressed }];
  });
  return backups.toSorted((a, b) => b.at - a.at);
}

async function compressFile(file: string): Promise<void> {
  const { mode } = await stat(file);
  await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`, { mode }));
  await rm(file);
}

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory } from '../../../base/make-directory.ts';
import { StorageOpenError } from './errors.ts';
import { ownerOnly, publish } from './files.ts';

/** Written to `format`. Raise it when an older version could not read what this one writes. */
const format = 1;
/** A file that says what the directory is being filled from; it goes when everything is there. */
export const fillingName = 'filling';
const formatLine = /^wheelhouse storage format (\d+)\n/;

export interface DirectoryContents {
  /** paths, oldest first */
  readonly segments: readonly { readonly path: string; readonly sequence: number }[];
  readonly checkpoints: readonly { readonly path: string; readonly revision: number }[];
}

/** A data directory: names of files, the format, and the lock. */
export class StorageDirectory {
  readonly path: string;
  readonly #lock: Disposable;

  private constructor(path: string, lock: Disposable) {
    this.path = path;
    this.#lock = lock;
  }

  /** Creates the directory if need be, locks it, and checks that its format is one we know. */
  static async open(path: string, { isFilling = false } = {}): Promise<StorageDirectory> {
    await makeDirectory(path).catch((cause: Error) => {
      throw new StorageOpenError(`data directory ${path} cannot be made: ${cause.message}`, { cause });
    });
    const directory = new StorageDirectory(path, await lock(path));
    try {
      await directory.#checkFormat();
      if (!isFilling && (await readdir(path)).includes(fillingName)) {
        throw new StorageOpenError(`${path} is being filled from another store; run that to its end, or remove the directory`);
      }
    } catch (error) {
      directory.unlock();
      throw error;
    }
    return directory;
  }

  segmentPath(sequence: number): string {
    return join(this.path, `log-${String(sequence).padStart(10, '0')}`);
  }

  checkpointPath(revision: number): string {
    return join(this.path, `checkpoint-${String(revision).padStart(16, '0')}`);
  }

  async contents(): Promise<DirectoryContents> {
    const names = (await readdir(this.path)).sort();
    const numbered = (prefix: string): { path: string; number: number }[] =>
      names
        .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
        .map((name) => ({
          path: join(this.path, name),
          number: Number(name.slice(prefix.length)),
        }));
    return {
      segments: numbered('log-').map(({ path, number }) => ({ path, sequence: number })),
      checkpoints: numbered('checkpoint-').map(({ path, number }) => ({ path, revision: number })),
    };
  }

  /** Removes files that were being made when the last owner ended. */
  async removeUnfinished(): Promise<void> {
    for (const name of await readdir(this.path)) if (name.endsWith('.tmp')) await rm(join(this.path, name));
  }

  unlock(): void {
    this.#lock[Symbol.dispose]();
  }

  async #checkFormat(): Promise<void> {
    const file = join(this.path, 'format');
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) {
      const others = (await readdir(this.path)).filter((name) => name.startsWith('log-') || name.startsWith('checkpoint-'));
      if (others.length > 0)
        throw new StorageOpenError(`${this.path} holds storage files but no file "format"; it is incomplete, restore it from a backup`);
      await writeFile(`${file}.tmp`, `wheelhouse storage format ${format}\n`, { flush: true, mode: ownerOnly });
      await publish(`${file}.tmp`, file);
      return;
    }
    const found = formatLine.exec(text)?.[1];
    if (found === undefined) throw new StorageOpenError(`${file} is not what Wheelhouse writes; is ${this.path} the right data directory?`);
    if (Number(found) > format) {
      throw new StorageOpenError(
        `${this.path} has storage format ${found}, written by a newer version; this version reads up to ${format}. ` +
          'Use the newer version, or restore a backup that was made before the upgrade into an empty directory',
      );
    }
  }
}

/**
 * Node has no file locks, SQLite does: a transaction held open on an empty database is a lock that the kernel lets go of
 * when the process ends, however it ends, and that a second store in the same process meets as well.
 */
async function lock(directory: string): Promise<Disposable> {
  const owner = join(directory, 'owner');
  const file = join(directory, 'lock');
  // Never opened once it is there: the kernel drops all locks that a process has on a file when it closes any descriptor of it.
  await writeFile(file, '', { flag: 'wx', mode: ownerOnly }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    const pid = await readFile(owner, 'utf8').catch(() => 'unknown');
    throw new StorageOpenError(
      `data directory ${directory} is in use by process ${pid.trim()}; stop that process or choose another directory`,
      { cause },
    );
  }
  // Only for the message above, so a full disk must not prevent the opening.
  await writeFile(owner, `${process.pid}\n`, { mode: ownerOnly }).catch(() => undefined);
  return { [Symbol.dispose]: () => database.close() };
}

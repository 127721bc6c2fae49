// Upstream: k8s.io/apiserver/pkg/util/filesystem/watchuntil.go#WatchUntil
import { lstatSync, realpathSync, statSync, watch } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from './clock.ts';
import { readRegularFile, readWrittenFileSync } from './regular-file.ts';

const pollMs = 60_000;
/** what is written comes in several pieces, a moment apart */
const writtenMs = 1;
/** what is found wrong may be unfinished: an editor writes more than once */
const settleMs = 3;
/** looks that take less may follow each other */
const cheapMs = 1;
/** some take long only because they wait for others, as for an issuer of tokens */
const mostRestMs = 100;

export interface WatchedTextOptions {
  /** the folder that tells of changes */
  readonly folder: string;
  /** the only file of the folder that matters; without: all do */
  readonly name?: string;
  readonly read: () => Promise<string>;
  /**
   * The same at once; throws when what is there looks unfinished. Only called after an event of the folder: there are none of what another
   * machine does to a shared disk, so the file was put there by this one, is still in memory, and is read sooner than a thread is reached.
   */
  readonly readNow: () => string;
  /** what was read first */
  readonly text: string;
  readonly clock: Clock;
  /** called with what is read now, whenever that is something else */
  readonly onChange: (text: string) => void | Promise<void>;
  readonly onError: (error: Error) => void;
}

/** Why it is looked at: `soon` after an event, when what is there may be unfinished; again when that was `settled`; once a minute, to be sure. */
type Look = 'soon' | 'settled' | 'poll';

/** how long after the look before */
const waitMs: Readonly<Record<Look, number>> = { soon: 0, settled: settleMs, poll: pollMs };

/** A folder with a watch on it. One that was replaced tells of nothing, so its inode is known. */
interface WatchedFolder {
  readonly folder: string;
  readonly inode: bigint;
  readonly watcher: { close(): void };
}

/**
 * Reads configuration again when its folder tells of a change, and once a minute anyway. What was put in place is in use before the next request
 * is read: to go to a thread and back would let requests pass that came after it.
 */
export class WatchedText implements Disposable {
  readonly #options: WatchedTextOptions;
  #watched: WatchedFolder;
  /** the folder of what the file is a link to */
  #target: WatchedFolder | undefined;
  #text: string;
  #timer: Disposable;
  /** a look is due shortly */
  #isDue = false;
  #isReading = false;
  /** there is a reason to look again after the look that is under way */
  #again: Look | undefined;
  #closed = false;
  /** files that change without a break get half of the time: until then none is read at once */
  #restsUntil = 0;
  /** the last failure, which is reported once for as long as it lasts */
  #reported: string | undefined;

  constructor(options: WatchedTextOptions) {
    const { folder, name, clock } = options;
    this.#options = options;
    this.#text = options.text;
    this.#watched = this.#watch(folder, statSync(folder, { bigint: true }).ino, name);
    this.#watchTarget(targetSync(name === undefined ? undefined : join(folder, name)));
    this.#timer = clock.setTimeout(() => void this.#look('poll'), pollMs);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer[Symbol.dispose]();
    this.#watched.watcher.close();
    this.#target?.watcher.close();
  }

  #watch(folder: string, inode: bigint, name: string | undefined): WatchedFolder {
    const watcher = watch(folder, { persistent: false }, (event, changed) => {
      // What else changes in a folder may be what a link goes by: mounted volumes swap such links.
      if (name !== undefined && changed !== null && changed !== name && this.#target === undefined) return;
      // What was put in place is whole; what is written may not be yet.
      const restMs = Math.max(0, this.#restsUntil - this.#options.clock.elapsed());
      this.#lookSoon(event === 'rename' ? restMs : Math.max(writtenMs, restMs));
    });
    watcher.on('error', this.#options.onError);
    return { folder, inode, watcher };
  }

  #watchTarget(target: Target | undefined): void {
    this.#target?.watcher.close();
    this.#target = target && this.#watch(target.folder, target.inode, target.name);
  }

  /** A folder that was put in place of the watched one is watched from then on, and so is the one that a link goes to now. */
  async #watchAnew(): Promise<void> {
    const { folder, name } = this.#options;
    const { ino } = await stat(folder, { bigint: true });
    this.#watchInstead(ino, await targetOf(name === undefined ? undefined : join(folder, name)));
  }

  /** The same without a wait. */
  async #watchAnewNow(): Promise<void> {
    const { folder, name } = this.#options;
    const { ino } = statSync(folder, { bigint: true });
    this.#watchInstead(ino, targetSync(name === undefined ? undefined : join(folder, name)));
  }

  #watchInstead(inode: bigint, target: Target | undefined): void {
    const { folder, name } = this.#options;
    if (this.#closed) return;
    if (inode !== this.#watched.inode) {
      this.#watched.watcher.close();
      this.#watched = this.#watch(folder, inode, name);
      this.#again = 'settled';
    }
    if (target?.folder !== this.#target?.folder || target?.inode !== this.#target?.inode) {
      this.#watchTarget(target);
      this.#again = 'settled';
    }
  }

  #lookSoon(ms: number): void {
    if (this.#isReading) this.#again = 'soon';
    else if (ms === 0) void this.#look('soon');
    else if (!this.#isDue) this.#lookAfter(ms, 'soon');
    this.#isDue = true;
  }

  #lookAfter(ms: number, look: Look): void {
    this.#timer[Symbol.dispose]();
    if (!this.#closed) this.#timer = this.#options.clock.setTimeout(() => void this.#look(look), ms);
  }

  async #look(look: Look): Promise<void> {
    const { clock, onError } = this.#options;
    const began = clock.elapsed();
    this.#timer[Symbol.dispose]();
    this.#isReading = true;
    this.#again = undefined;
    const before = this.#text;
    const used = await failureOf(this.#take(look));
    const watched = await failureOf(look === 'poll' ? this.#watchAnew() : this.#watchAnewNow());
    const failure = used ?? watched;
    if (this.#closed) return;
    if (failure !== undefined && look === 'soon') {
      this.#text = before;
      this.#again ??= 'settled';
    } else {
      if (failure !== undefined && failure.message !== this.#reported) onError(failure);
      this.#reported = failure?.message;
    }
    const now = clock.elapsed();
    this.#restsUntil = now - began < cheapMs ? 0 : now + Math.min(now - began, mostRestMs);
    this.#isReading = false;
    this.#isDue = this.#again !== undefined;
    const next: Look = this.#again ?? 'poll';
    this.#lookAfter(waitMs[next], next);
  }

  /** Without a wait, where an event was the reason and what is there can be read at once. */
  async #take(look: Look): Promise<void> {
    const { read, readNow } = this.#options;
    let text: string | undefined;
    try {
      if (look !== 'poll') text = readNow();
    } catch (error) {
      if (look === 'soon') throw error;
    }
    await this.#use(text ?? (await read()));
  }

  async #use(text: string): Promise<void> {
    if (text === this.#text || this.#closed) return;
    this.#text = text;
    await this.#options.onChange(text);
  }
}

async function failureOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Where a link leads to in the end. */
interface Target {
  readonly folder: string;
  readonly name: string;
  readonly inode: bigint;
}

async function targetOf(file: string | undefined): Promise<Target | undefined> {
  if (file === undefined) return undefined;
  try {
    if (!(await lstat(file)).isSymbolicLink()) return undefined;
    const target = await realpath(file);
    const folder = dirname(target);
    return { folder, name: basename(target), inode: (await stat(folder, { bigint: true })).ino };
  } catch (error) {
    return noTarget(error);
  }
}

function targetSync(file: string | undefined): Target | undefined {
  if (file === undefined || !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  try {
    const target = realpathSync.native(file);
    const folder = dirname(target);
    return { folder, name: basename(target), inode: statSync(folder, { bigint: true }).ino };
  } catch (error) {
    return noTarget(error);
  }
}

/** That it leads nowhere is found, and said, where it is read. */
function noTarget(error: unknown): undefined {
  if (!['ENOENT', 'ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  return undefined;
}

/** One configuration file. Its folder is watched, since a file is often replaced rather than written: a mounted ConfigMap is. */
export class WatchedFile extends WatchedText {
  constructor({ file, ...options }: Omit<WatchedTextOptions, 'folder' | 'name' | 'read' | 'readNow'> & { readonly file: string }) {
    super({
      ...options,
      folder: dirname(file),
      name: basename(file),
      read: async () => String(await readRegularFile(file)),
      readNow: () => String(readWrittenFileSync(file)),
    });
  }
}

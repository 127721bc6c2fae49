// Upstream: k8s.io/apiserver/pkg/util/filesystem/watchuntil.go#WatchUntil
import { statSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';

const pollMs = 60_000;
/** an editor writes more than once */
const settleMs = 3;

export interface WatchedTextOptions {
  /** the folder that tells of changes */
  readonly folder: string;
  readonly read: () => Promise<string>;
  /** what was read first */
  readonly text: string;
  readonly clock: Clock;
  /** called with what is read now, whenever that is something else */
  readonly onChange: (text: string) => void | Promise<void>;
  readonly onError: (error: Error) => void;
}

/** Reads configuration again when its folder tells of a change, and once a minute anyway. */
export class WatchedText implements Disposable {
  readonly #options: WatchedTextOptions;
  #watcher: { close(): void };
  /** of the folder that is watched: one that was replaced tells of nothing */
  #inode: bigint;
  #text: string;
  #timer: Disposable;
  /** a look is due shortly, or being taken */
  #isLooking = false;
  /** there was a change while a look was being taken */
  #hasChanged = false;
  #isReading = false;
  #closed = false;
  /** the last failure, which is reported once for as long as it lasts */
  #reported: string | undefined;

  constructor(options: WatchedTextOptions) {
    this.#options = options;
    this.#text = options.text;
    this.#watcher = this.#watch();
    this.#inode = statSync(options.folder, { bigint: true }).ino;
    this.#timer = options.clock.setTimeout(() => void this.#look(), pollMs);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer[Symbol.dispose]();
    this.#watcher.close();
  }

  #watch(): { close(): void } {
    const { folder, onError } = this.#options;
    const watcher = watch(folder, { persistent: false }, () => this.#lookSoon());
    watcher.on('error', onError);
    return watcher;
  }

  /** A folder that was put in place of the watched one is watched from then on. */
  async #watchAnew(): Promise<void> {
    const { ino } = await stat(this.#options.folder, { bigint: true });
    if (this.#closed || ino === this.#inode) return;
    this.#watcher.close();
    this.#watcher = this.#watch();
    this.#inode = ino;
  }

  #lookSoon(): void {
    this.#hasChanged ||= this.#isReading;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookAfter(settleMs);
  }

  #lookAfter(ms: number): void {
    this.#timer[Symbol.dispose]();
    if (!this.#closed) this.#timer = this.#options.clock.setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    this.#isLooking = this.#isReading = true;
    this.#hasChanged = false;
    try {
      await this.#watchAnew();
      const text = await this.#options.read();
      this.#reported = undefined;
      if (text !== this.#text) {
        this.#text = text;
        await this.#options.onChange(text);
      }
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) this.#options.onError(error as Error);
      this.#reported = message;
    } finally {
      this.#isReading = false;
      this.#isLooking = this.#hasChanged;
      this.#lookAfter(this.#hasChanged ? settleMs : pollMs);
    }
  }
}

/** One configuration file. Its folder is watched, since a file is often replaced rather than written: a mounted ConfigMap is. */
export class WatchedFile extends WatchedText {
  constructor({ file, ...options }: Omit<WatchedTextOptions, 'folder' | 'read'> & { readonly file: string }) {
    super({ ...options, folder: dirname(file), read: () => readFile(file, 'utf8') });
  }
}

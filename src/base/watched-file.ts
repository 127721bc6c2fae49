// Upstream: pkg/util/filesystem/watcher.go (WatchUntil)
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';

const pollMs = 60_000;
/** an editor writes more than once */
const settleMs = 100;

export interface WatchedFileOptions {
  readonly file: string;
  /** what it held when it was read first */
  readonly text: string;
  readonly clock: Clock;
  /** called with what the file holds now, whenever that is something else */
  readonly onChange: (text: string) => void | Promise<void>;
  readonly onError: (error: Error) => void;
}

/** Looks at a configuration file when its folder tells of a change, and once a minute anyway. */
export class WatchedFile implements Disposable {
  readonly #options: WatchedFileOptions;
  readonly #watcher: { close(): void };
  #text: string;
  #timer: Disposable;
  /** a look is due shortly, or being taken */
  #isLooking = false;
  #closed = false;

  constructor(options: WatchedFileOptions) {
    this.#options = options;
    this.#text = options.text;
    // The folder, since a file is often replaced rather than written: a mounted ConfigMap is.
    const watcher = watch(dirname(options.file), { persistent: false }, () => this.#lookSoon());
    watcher.on('error', options.onError);
    this.#watcher = watcher;
    this.#timer = options.clock.setTimeout(() => void this.#look(), pollMs);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer[Symbol.dispose]();
    this.#watcher.close();
  }

  #lookSoon(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookAfter(settleMs);
  }

  #lookAfter(ms: number): void {
    this.#timer[Symbol.dispose]();
    if (!this.#closed) this.#timer = this.#options.clock.setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      const text = await readFile(this.#options.file, 'utf8');
      if (text !== this.#text) {
        this.#text = text;
        await this.#options.onChange(text);
      }
    } catch (error) {
      this.#options.onError(error as Error);
    } finally {
      this.#isLooking = false;
      this.#lookAfter(pollMs);
    }
  }
}

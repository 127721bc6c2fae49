// Upstream: k8s.io/apiserver/pkg/admission/plugin/{webhook,policy}/manifest/source/source.go
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { ReloadObserver } from '../../../base/reload-metrics.ts';
import { contentHash } from '../../../base/reload-metrics.ts';
import { WatchedText } from '../../../base/watched-text.ts';
import type { ManifestFile } from './manifest-files.ts';
import { readManifestFiles, readManifestFilesSync, readWrittenManifestsSync } from './manifest-files.ts';

/** As upstream makes it, so that servers of both kinds show the same. */
function hashOf(files: readonly ManifestFile[]): string {
  return contentHash(files.map(({ text }) => (text === '' ? '' : `${text}\0`)).join(''));
}

export interface StaticManifestsOptions<T> {
  readonly directory: string;
  /** what the files are to the plugin; throws when they are not to be followed */
  readonly read: (files: readonly ManifestFile[]) => T;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer: ReloadObserver;
}

/** What a folder of manifests says, now. Files that cannot be followed stop the start; later they change nothing. */
export class StaticManifests<T> implements Disposable {
  readonly #watched: WatchedText;
  readonly #listeners = new Set<() => void>();
  #current: T;

  constructor({ directory, read, clock, log, observer }: StaticManifestsOptions<T>) {
    const files = readManifestFilesSync(directory);
    this.#current = read(files);
    observer.reloaded(hashOf(files));
    log.info('Loaded admission manifests', { directory, files: files.length });
    this.#watched = new WatchedText({
      folder: directory,
      text: JSON.stringify(files),
      read: async () => JSON.stringify(await readManifestFiles(directory)),
      readNow: () => JSON.stringify(readWrittenManifestsSync(directory)),
      clock,
      onChange: (text) => {
        const changed = JSON.parse(text) as ManifestFile[];
        this.#current = read(changed);
        observer.reloaded(hashOf(changed));
        log.info('Reloaded admission manifests', { directory });
        for (const listener of this.#listeners) listener();
      },
      onError: (error) => {
        observer.failed();
        log.error('Failed to reload admission manifests, the last good ones stay in effect', { directory, err: error });
      },
    });
  }

  get current(): T {
    return this.#current;
  }

  /** Calls back after every change. */
  subscribe(listener: () => void): void {
    this.#listeners.add(listener);
  }

  [Symbol.dispose](): void {
    this.#watched[Symbol.dispose]();
  }
}

import type { Informer } from '../common/informer.ts';
import type { Informers, Ownership } from '../common/informers.ts';

/** Watches what could not be deleted at once, so that a namespace is looked at again when there is news, and not all the time. */
export class LeftOvers implements Disposable {
  readonly #informers: Informers;
  readonly #news: (namespace: string) => void;
  /** by namespace and by path of the list in all namespaces, which others may be watching already */
  readonly #followed = new Map<string, Map<string, Disposable>>();

  constructor(informers: Informers, news: (namespace: string) => void) {
    this.#informers = informers;
    this.#news = news;
  }

  /** These paths and no others, from now on. */
  follow(namespace: string, paths: readonly string[]): void {
    const before = this.#followed.get(namespace) ?? new Map<string, Disposable>();
    const now = new Map(paths.map((path) => [path, before.get(path) ?? this.#subscribe(namespace, this.#informers.ownership(path))]));
    for (const [path, subscription] of before) if (!now.has(path)) subscription[Symbol.dispose]();
    if (now.size === 0) this.#followed.delete(namespace);
    else this.#followed.set(namespace, now);
  }

  forget(namespace: string): void {
    this.follow(namespace, []);
  }

  [Symbol.dispose](): void {
    for (const namespace of [...this.#followed.keys()]) this.forget(namespace);
  }

  #subscribe(namespace: string, informer: Informer<Ownership>): Disposable {
    const tell = ({ metadata }: Ownership): void => {
      if (metadata.namespace === namespace) this.#news(namespace);
    };
    const subscription = informer.subscribe({
      changed: (object, old) => {
        if (old !== undefined) tell(object);
      },
      deleted: tell,
    });
    void informer.synced.then(() => {
      // The last one may have gone before the watch began.
      if (!informer.values().some(({ metadata }) => metadata.namespace === namespace)) this.#news(namespace);
    });
    return subscription;
  }
}

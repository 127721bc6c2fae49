// Upstream: k8s.io/apiserver/pkg/storage/cacher/cacher.go#indexedWatchers
import type { RecordedEvent } from './event.ts';
import { fieldOf } from './field-index.ts';
import type { CacheEntry } from './types.ts';
import type { Watcher } from './watcher.ts';

/** The watchers of one key prefix: those that asked for one value of an indexed field stand apart, by that value. */
interface Scope<T extends CacheEntry> {
  readonly all: Set<Watcher<T>>;
  readonly byField: Map<string, Map<string, Set<Watcher<T>>>>;
}

/**
 * Live watchers, placed so that an event only meets those it may concern: by key prefix (the whole resource or one namespace), and
 * within it by name or indexed field. Five thousand watches of one object each cost one lookup per event, not five thousand calls.
 */
export class WatcherRegistry<T extends CacheEntry> {
  readonly #prefix: string;
  readonly #fields: readonly string[];
  readonly #scopes = new Map<string, Scope<T>>();
  /** prefixes that do not end at a slash, which the lookup by parts of the key would miss */
  readonly #irregular = new Set<string>();
  #size = 0;

  constructor(prefix: string, indexedFields: readonly string[] = []) {
    this.#prefix = prefix;
    this.#fields = ['metadata.name', ...indexedFields];
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a watcher until it closes. */
  add(watcher: Watcher<T>): void {
    const { prefix, fieldEquals } = watcher.options;
    const scope = entryOf(this.#scopes, prefix, newScope<T>);
    if (!this.#isRegular(prefix)) this.#irregular.add(prefix);
    const field = fieldEquals && this.#fields.find((name) => fieldEquals[name] !== undefined);
    const value = (field && fieldEquals[field]) ?? '';
    const set = field === undefined ? scope.all : entryOf(entryOf(scope.byField, field, newMap<T>), value, newSet<T>);
    set.add(watcher);
    this.#size++;
    watcher.onClose(() => {
      set.delete(watcher);
      this.#size--;
      if (set.size === 0) this.#prune(prefix, scope, field, value);
    });
  }

  /** Returns how many watchers it was sent to. */
  dispatch(event: RecordedEvent<T>): number {
    if (this.#size === 0) return 0;
    const { key } = event.object;
    let sent = this.#dispatchTo(this.#prefix, event);
    for (let slash = key.indexOf('/', this.#prefix.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      sent += this.#dispatchTo(key.slice(0, slash + 1), event);
    }
    for (const prefix of this.#irregular) if (key.startsWith(prefix)) sent += this.#dispatchTo(prefix, event);
    return sent;
  }

  #dispatchTo(prefix: string, event: RecordedEvent<T>): number {
    const scope = this.#scopes.get(prefix);
    if (scope === undefined) return 0;
    let sent = 0;
    for (const watcher of scope.all) if (watcher.deliver(event)) sent++;
    for (const [field, byValue] of scope.byField) {
      const value = fieldOf(event.object, field);
      for (const watcher of byValue.get(value) ?? []) if (watcher.deliver(event)) sent++;
      // An object that leaves a value is news to those who watch that value, too.
      const before = event.previous === undefined ? value : fieldOf(event.previous, field);
      if (before !== value) for (const watcher of byValue.get(before) ?? []) if (watcher.deliver(event)) sent++;
    }
    return sent;
  }

  /** Lets go of a set that became empty, and of what held only it. */
  #prune(prefix: string, scope: Scope<T>, field: string | undefined, value: string): void {
    if (field !== undefined) {
      const byValue = scope.byField.get(field);
      byValue?.delete(value);
      if (byValue?.size === 0) scope.byField.delete(field);
    }
    if (scope.all.size > 0 || scope.byField.size > 0) return;
    this.#scopes.delete(prefix);
    this.#irregular.delete(prefix);
  }

  #isRegular(prefix: string): boolean {
    return prefix === this.#prefix || (prefix.startsWith(this.#prefix) && prefix.endsWith('/'));
  }
}

function newScope<T extends CacheEntry>(): Scope<T> {
  return { all: new Set(), byField: new Map() };
}

function newMap<T extends CacheEntry>(): Map<string, Set<Watcher<T>>> {
  return new Map();
}

function newSet<T extends CacheEntry>(): Set<Watcher<T>> {
  return new Set();
}

function entryOf<V>(map: Map<string, V>, key: string, create: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = create();
  map.set(key, made);
  return made;
}

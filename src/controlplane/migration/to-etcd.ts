import { Slices } from '../../base/slices.ts';
import type { EtcdStorage } from '../../storage/drivers/etcd/etcd-storage.ts';
import type { Snapshot } from '../../storage/mvcc/snapshot.ts';
import type { KeyValue, Operation } from '../../storage/storage.ts';
import { StorageUnavailableError, ValueTooLargeError } from '../../storage/storage.ts';
import { about, MigrationError } from './migration-error.ts';
import type { Progress } from './migration-error.ts';
import type { StoredValues } from './stored-values.ts';

/**
 * Revisions of etcd cannot be chosen, but each transaction makes exactly one. So the keys are written in the order of their revisions, those of
 * one revision in one transaction, and revisions at which nothing that is left was written are used up by writing the marker alone: in an etcd
 * that is not ahead already, every object keeps its resourceVersion. In the end etcd is not behind the directory, and its history is compacted,
 * so that clients which know older revisions list anew.
 *
 * The marker is a key beside the others that every transaction writes and expects as the one before has left it. It says how far the migration
 * has come, whenever it is killed, and it keeps transactions in order though many are under way.
 */
export const markerKey = '/wheelhouse-migration';

interface Marker {
  /** of the directory */
  readonly revision: number;
  readonly keys: number;
  /** revisions of the directory that have been written */
  readonly done: number;
  /** whether some have another revision in etcd than they had */
  readonly shifted: boolean;
}

/** Keys that were last written by one transaction. */
interface Group {
  readonly revision: number;
  readonly keys: readonly KeyValue[];
}

/** etcd takes 128 operations in a transaction, and 1.5 MiB in a request. */
const mostKeys = 100;
const mostBytes = 1 << 20;
/** Some overtake others, whose like then has to be sent again; it is twice as fast as one at a time all the same. */
const mostUnderWay = 64;
/** More would take a quarter of an hour. */
const mostUsedUp = 2_000_000;

export interface ToEtcdOptions {
  readonly from: Snapshot;
  readonly to: EtcdStorage;
  readonly values: StoredValues;
  readonly prefix: string;
  /** revisions at which nothing that is left was written are not used up */
  readonly skipsRevisions: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** milliseconds since the epoch */
  readonly now: () => number;
}

export interface Moved {
  readonly keys: number;
  /** that have the resourceVersion that they had */
  readonly sameRevision: number;
  /** of the store that was written */
  readonly revision: number;
  /** keys of no resource that is known, moved as they are */
  readonly unknown: readonly string[];
}

export async function moveToEtcd(options: ToEtcdOptions): Promise<Moved> {
  const { from, to, prefix, values } = options;
  const expires = new Map(from.deadlines.range().map(({ key, at }) => [key, at]));
  const all = [...from.keyspace.entries()].map(([, kv]) => kv);
  const outside = all.find(({ key }) => !key.startsWith(`${prefix}/`));
  if (outside !== undefined) throw new MigrationError(`${outside.key} is not below ${prefix}; --etcd-prefix says what keys start with`);
  const groups = groupsOf(all);
  const writer = new Writer(options, groups, expires);
  await writer.run();
  const sameRevision = await compare(options, all, expires);
  await to.compact(await to.currentRevision());
  await to.transact([{ type: 'delete', key: markerKey }]);
  const unknown = all.filter(({ key }) => !values.isKnown(key)).map(({ key }) => key);
  return { keys: all.length, sameRevision, revision: await to.currentRevision(), unknown };
}

function groupsOf(all: readonly KeyValue[]): Group[] {
  const groups: { revision: number; keys: KeyValue[]; bytes: number }[] = [];
  for (const kv of all.toSorted((one, other) => one.modRevision - other.modRevision)) {
    const last = groups.at(-1);
    const fits = last?.revision === kv.modRevision && last.keys.length < mostKeys && last.bytes + kv.value.length < mostBytes;
    if (fits) {
      last.keys.push(kv);
      last.bytes += kv.value.length;
    } else groups.push({ revision: kv.modRevision, keys: [kv], bytes: kv.value.length });
  }
  return groups;
}

class Writer {
  readonly #options: ToEtcdOptions;
  readonly #groups: readonly Group[];
  readonly #expires: ReadonlyMap<string, number>;
  readonly #revision: number;
  readonly #keys: number;
  /** groups that have been sent */
  #sent = 0;
  /** revision of etcd when everything that was sent has been written */
  #at = 0;
  /** of the marker then; 0: there is none */
  #marker = 0;
  #shifted = false;

  constructor(options: ToEtcdOptions, groups: readonly Group[], expires: ReadonlyMap<string, number>) {
    this.#options = options;
    this.#groups = groups;
    this.#expires = expires;
    this.#revision = options.from.keyspace.revision;
    this.#keys = options.from.keyspace.size;
  }

  async run(): Promise<void> {
    const { signal, progress } = this.#options;
    const first = await this.#find();
    if (first === undefined) await this.#requireEmpty();
    const usedUp = this.#end() - this.#at - (this.#groups.length - this.#sent);
    if (usedUp > mostUsedUp) {
      throw new MigrationError(
        `etcd is at revision ${this.#at}, and ${usedUp} revisions behind what clients may know; begin with an etcd that is ahead ` +
          '(etcdutl snapshot restore --bump-revision --mark-compacted), or say --skip-revisions and start all clients anew',
      );
    }
    const begin = this.#at;
    const underWay = new Set<Promise<void>>();
    const slices = new Slices();
    let failure: unknown;
    let missed = 0;
    for (;;) {
      while (this.#isDone() === false && missed === 0 && failure === undefined && underWay.size < mostUnderWay) {
        signal.throwIfAborted();
        const operations = await this.#next();
        // It takes a lease first, and others must not overtake it meanwhile.
        const waits = operations.some((operation) => operation.type === 'put' && operation.ttlSeconds !== undefined);
        if (waits) await Promise.all(underWay);
        const sent = this.#options.to.transact(operations).then(
          ({ succeeded, revision }) => {
            if (!succeeded || revision !== expected) missed++;
          },
          (error: unknown) => {
            failure ??= error;
          },
        );
        const expected = ++this.#at;
        this.#marker = expected;
        underWay.add(sent);
        void sent.finally(() => underWay.delete(sent));
        if (waits) await sent;
        progress('writing', this.#at - begin, Math.max(this.#end() - begin, 1));
        await slices.pause();
      }
      if (missed === 0 && failure === undefined && !this.#isDone()) {
        await Promise.race(underWay);
        continue;
      }
      await Promise.all(underWay);
      if (failure !== undefined) this.#explain(failure);
      if (missed === 0) return;
      // One overtook another, or a lease has expired: nothing is wrong, but it has to be found out how far it has come.
      missed = 0;
      if ((await this.#find()) === undefined) throw new MigrationError(`${markerKey} is gone from etcd: is another migration at work?`);
    }
  }

  /** The revision that etcd has in the end, if nothing is in the way. */
  #end(): number {
    return Math.max(this.#least(), this.#at + this.#groups.length - this.#sent);
  }

  #isDone(): boolean {
    return this.#sent === this.#groups.length && this.#at >= this.#least();
  }

  /** Clients that know the last revision of the directory may go on from it only where it means the same in etcd. */
  #least(): number {
    if (this.#options.skipsRevisions) return 0;
    return this.#shifted ? this.#revision + 2 : this.#revision;
  }

  async #next(): Promise<Operation[]> {
    const group = this.#groups[this.#sent];
    const isDue = group !== undefined && (this.#options.skipsRevisions || group.revision <= this.#at + 1);
    const puts = isDue ? await this.#puts(group) : [];
    if (isDue) {
      this.#sent++;
      this.#shifted ||= group.revision <= this.#at;
    }
    const marker: Marker = { revision: this.#revision, keys: this.#keys, done: this.#sent, shifted: this.#shifted };
    return [...puts, { type: 'put', key: markerKey, value: Buffer.from(JSON.stringify(marker)), expect: this.#marker }];
  }

  async #puts({ keys }: Group): Promise<Operation[]> {
    const puts: Operation[] = [];
    for (const { key, value } of keys) {
      const expires = this.#expires.get(key);
      const seconds = expires === undefined ? undefined : Math.ceil((expires - this.#options.now()) / 1000);
      if (seconds !== undefined && seconds <= 0) continue;
      const moved = await about(key, this.#options.values.toEtcd(key, value));
      puts.push({ type: 'put', key, value: moved, ...(seconds !== undefined && { ttlSeconds: seconds }) });
    }
    return puts;
  }

  /** Where the migration is. */
  async #find(): Promise<Marker | undefined> {
    const { kv, revision } = await this.#options.to.get(markerKey);
    this.#at = revision;
    this.#marker = kv?.modRevision ?? 0;
    this.#sent = 0;
    this.#shifted = false;
    if (kv === undefined) return undefined;
    const marker = JSON.parse(kv.value.toString()) as Marker;
    if (marker.revision !== this.#revision || marker.keys !== this.#keys) {
      throw new MigrationError(
        'etcd holds a part of what was moved from another directory, or from this one before it changed; begin with an empty etcd',
      );
    }
    this.#sent = marker.done;
    this.#shifted = marker.shifted;
    return marker;
  }

  async #requireEmpty(): Promise<void> {
    const { to, prefix } = this.#options;
    const count = await to.count(`${prefix}/`);
    if (count > 0) throw new MigrationError(`etcd holds ${count} keys below ${prefix} already; it must hold none`);
  }

  #explain(error: unknown): never {
    if (error instanceof ValueTooLargeError) {
      const near = this.#groups[Math.max(0, this.#sent - 1)]?.keys[0]?.key ?? '';
      throw new MigrationError(`a value near ${near} is too large for etcd: ${error.message}`, { cause: error });
    }
    if (error instanceof StorageUnavailableError) {
      throw new MigrationError(`etcd does not take it: ${error.message}; the same command goes on from here`, { cause: error });
    }
    throw error;
  }
}

/** Every key, every value and the order of revisions; resolves to how many revisions are the same. */
async function compare(
  { to, values, prefix, progress, signal, now }: ToEtcdOptions,
  all: readonly KeyValue[],
  expires: ReadonlyMap<string, number>,
): Promise<number> {
  const found = new Map<string, KeyValue>();
  for await (const page of pages(to, prefix, signal)) for (const kv of page) found.set(kv.key, kv);
  const slices = new Slices();
  let same = 0;
  let last = { from: 0, to: 0 };
  for (const [i, kv] of all.toSorted((one, other) => one.modRevision - other.modRevision).entries()) {
    signal.throwIfAborted();
    const { key, value, modRevision } = kv;
    const moved = found.get(key);
    found.delete(key);
    if (moved === undefined) {
      // A minute of grace, which leases have too.
      if ((expires.get(key) ?? Infinity) < now() + 60_000) continue;
      throw new MigrationError(`${key} is not in etcd`);
    }
    const [before, after] = [await about(key, values.canonical(key, value)), await about(key, values.canonical(key, moved.value))];
    if (!before.equals(after)) throw new MigrationError(`the value of ${key} is not the same in etcd`);
    if (moved.modRevision < last.to || (modRevision > last.from && moved.modRevision === last.to)) {
      throw new MigrationError(`${key} is at revision ${moved.modRevision} of etcd, which is not after ${last.to}`);
    }
    last = { from: modRevision, to: moved.modRevision };
    if (moved.modRevision === modRevision) same++;
    if (i % 100 === 0) progress('comparing', i, all.length);
    await slices.pause();
  }
  progress('comparing', all.length, all.length);
  const [extra] = found.keys();
  if (extra !== undefined) throw new MigrationError(`etcd holds ${extra}, which was not moved there: is a server running on it?`);
  return same;
}

/** Keys of etcd below a prefix, at one revision. */
export async function* pages(
  etcd: EtcdStorage,
  prefix: string,
  signal: AbortSignal,
  options: { readonly revision?: number; readonly after?: string } = {},
): AsyncGenerator<readonly KeyValue[], void, undefined> {
  let { revision } = options;
  let from = options.after === undefined ? `${prefix}/` : `${options.after}\0`;
  for (;;) {
    const page = await etcd.list(`${prefix}/`, { limit: 500, from, signal, ...(revision !== undefined && { revision }) });
    revision ??= page.revision;
    if (page.items.length === 0) return;
    yield page.items;
    from = `${page.items.at(-1)!.key}\0`;
    if (page.items.length === page.total) return;
  }
}

import { Slices } from '../../base/slices.ts';
import { FillingDirectory } from '../../storage/drivers/embedded/filling.ts';
import type { StoredRecord } from '../../storage/drivers/embedded/record.ts';
import type { EtcdStorage } from '../../storage/drivers/etcd/etcd-storage.ts';
import type { KeyValue } from '../../storage/storage.ts';
import { CompactedError } from '../../storage/storage.ts';
import { about, MigrationError } from './migration-error.ts';
import type { Progress } from './migration-error.ts';
import type { StoredValues } from './stored-values.ts';
import type { Moved } from './to-etcd.ts';
import { markerKey, pages } from './to-etcd.ts';

export interface FromEtcdOptions {
  readonly from: EtcdStorage;
  /** folder of the store, new or empty */
  readonly to: string;
  readonly values: StoredValues;
  readonly prefix: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** milliseconds since the epoch */
  readonly now: () => number;
}

/**
 * Reads etcd at one revision into a directory. Revisions, versions and ends of life are kept, and the store begins at the revision of etcd: a
 * client that knows that one goes on, others list anew.
 */
export async function moveFromEtcd(options: FromEtcdOptions): Promise<Moved> {
  await requireKeys(options);
  await using directory = await FillingDirectory.open(options.to);
  if (directory.isComplete) throw new MigrationError(`${options.to} has everything already`);
  await read(options, directory);
  const { revision } = directory.source!;
  const { count } = directory;
  const unknown = await compare(options, directory);
  await directory.finish();
  return { keys: count, sameRevision: count, revision, unknown };
}

async function requireKeys({ from, prefix }: FromEtcdOptions): Promise<void> {
  if ((await from.get(markerKey)).kv !== undefined) {
    throw new MigrationError('etcd holds only a part of what is being moved there; run that to its end first');
  }
  if ((await from.count(`${prefix}/`)) > 0) return;
  const { items } = await from.list('', { limit: 1 });
  const [, first] = items[0]?.key.split('/') ?? [];
  const hint =
    items[0] === undefined ? 'it is empty' : `but below ${first === undefined ? items[0].key : `/${first}`}; --etcd-prefix says where`;
  throw new MigrationError(`etcd holds no keys below ${prefix}, ${hint}`);
}

async function read(options: FromEtcdOptions, directory: FillingDirectory): Promise<void> {
  const { from, prefix, signal, progress } = options;
  const [total, current] = [await from.count(`${prefix}/`), await from.currentRevision()];
  const { source } = directory;
  if (source === undefined || source.prefix !== prefix || source.revision > current) await directory.begin({ revision: current, prefix });
  const left = await from.timesToLive({ signal });
  try {
    const { lastKey } = directory;
    const { revision } = directory.source!;
    for await (const page of pages(from, prefix, signal, { revision, ...(lastKey !== undefined && { after: lastKey }) })) {
      const records: StoredRecord[] = [];
      for (const kv of page) records.push(...(await recordOf(kv, left.get(kv.key), options)));
      await directory.append(records);
      progress('reading', directory.count, Math.max(total, directory.count));
    }
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    await directory.discard();
    throw new MigrationError('etcd has compacted the revision that was being read; the same command begins with a newer one', {
      cause: error,
    });
  }
}

async function recordOf(kv: KeyValue, secondsLeft: number | undefined, { values, now }: FromEtcdOptions): Promise<StoredRecord[]> {
  if (secondsLeft !== undefined && secondsLeft <= 0) return [];
  const value = await about(kv.key, values.toDirectory(kv.key, kv.value));
  const expiresAt = secondsLeft === undefined ? 0 : now() + secondsLeft * 1000;
  return [{ key: kv.key, kv: { ...kv, value }, revision: kv.modRevision, expiresAt }];
}

/** Every key, every value and every revision, with what etcd holds now; resolves to keys of no known resource. */
async function compare({ from, prefix, values, signal, progress }: FromEtcdOptions, directory: FillingDirectory): Promise<string[]> {
  const differing: string[] = [];
  const unknown: string[] = [];
  const slices = new Slices();
  const etcd = flat(pages(from, prefix, signal));
  let there = await etcd.next();
  let compared = 0;
  const isOfServers = (key: string): boolean => key.startsWith(`${prefix}/masterleases/`);
  const differs = (key: string, expires: boolean): void => void (expires || isOfServers(key) || differing.push(key));
  for await (const records of directory.records()) {
    for (const { key, kv, expiresAt } of records) {
      signal.throwIfAborted();
      for (; there.done !== true && Buffer.compare(Buffer.from(there.value.key), Buffer.from(key)) < 0; there = await etcd.next()) {
        differs(there.value.key, false);
      }
      if (there.done === true || there.value.key !== key) differs(key, expiresAt > 0);
      else {
        const [ours, theirs] = [kv!, there.value];
        if (ours.modRevision !== theirs.modRevision) differs(key, expiresAt > 0);
        else {
          const same = await about(key, values.canonical(key, theirs.value));
          if (!same.equals(await about(key, values.canonical(key, ours.value)))) {
            throw new MigrationError(`the value of ${key} is not what etcd has`);
          }
        }
        there = await etcd.next();
      }
      if (!values.isKnown(key)) unknown.push(key);
      if (++compared % 100 === 0) progress('comparing', compared, directory.count);
      await slices.pause();
    }
  }
  for (; there.done !== true; there = await etcd.next()) differs(there.value.key, false);
  progress('comparing', directory.count, directory.count);
  if (differing.length === 0) return unknown;
  await directory.discard();
  const what = `${differing.length} keys of etcd changed while it was read, ${differing[0]} among them`;
  throw new MigrationError(`${what}: stop all servers that use it, and run the command again`);
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void, undefined> {
  for await (const batch of batches) yield* batch;
}

import { isDeepStrictEqual } from 'node:util';
import { GrpcError } from '../../src/base/grpc/status.ts';
import { EtcdApi } from '../support/etcd-api.ts';
import type { Plain } from '../support/etcd-api.ts';
import type { Operation } from './operations.ts';
import { Operations } from './operations.ts';

export interface Difference {
  readonly what: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** The same operations to both, one after the other, then the same watches; returns what differs, apart from identities. */
export async function compareEtcds(ours: string, theirs: string, seed: number, count: number): Promise<Difference[]> {
  using one = new EtcdApi(ours);
  using other = new EtcdApi(theirs);
  const operations = new Operations(seed);
  const differences: Difference[] = [];
  const note = (what: string, mine: unknown, its: unknown): void => {
    if (!isDeepStrictEqual(mine, its)) differences.push({ what, ours: mine, theirs: its });
  };
  let revision = 1;
  let compacted = 1;
  for (let i = 0; i < count && differences.length < 20; i++) {
    const operation = operations.next(revision);
    const [mine, its] = await Promise.all([one, other].map((api) => outcome(api, operation)));
    note(`${i} ${operation.method} ${JSON.stringify(operation.request, shown)}`, mine, its);
    revision = Math.max(revision, Number((its as { header?: Plain }).header?.['revision'] ?? 0));
    if (operation.method === 'Compact' && typeof its === 'object') compacted = Number(operation.request['revision']);
  }
  for (let i = 0; i < 40 && differences.length < 20; i++) {
    const request = { ...operations.watch(revision), watch_id: i + 1 };
    const [mine, its] = await Promise.all([one, other].map((api) => watched(api, request, revision, compacted)));
    note(`watch ${JSON.stringify(request, shown)} at ${revision}, compacted ${compacted}`, mine, its);
  }
  return differences;
}

const shown = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'type' in value && value.type === 'Buffer' && 'data' in value
    ? Buffer.from(value.data as number[]).toString('latin1')
    : value;

async function outcome(api: EtcdApi, { method, request }: Operation): Promise<unknown> {
  try {
    return comparable(await api.call(method, request), method, request);
  } catch (error) {
    if (error instanceof GrpcError) return `${error.code} ${error.details}`;
    throw error;
  }
}

const targets = ['key', 'version', 'create_revision', 'mod_revision', 'value'];

/** Without identities, times that pass, and the order of what is equal where upstream's sort leaves that open. */
function comparable(response: Plain, method: string, request: Plain): Plain {
  const plain: Plain = { ...response, header: { revision: (response['header'] as Plain | undefined)?.['revision'] } };
  if (method === 'LeaseTimeToLive') {
    if (plain['TTL'] !== '-1') delete plain['TTL'];
    if (Array.isArray(plain['keys'])) plain['keys'] = plain['keys'].toSorted();
  }
  if (method === 'LeaseLeases') plain['leases'] = ((plain['leases'] ?? []) as Plain[]).map(({ ID }) => ID).toSorted();
  const target = Number(request['sort_target'] ?? 0);
  if (method === 'Range' && target > 0 && Array.isArray(plain['kvs'])) {
    const kvs = plain['kvs'] as Plain[];
    const sortedBy = kvs.map((kv) => kv[targets[target]!]);
    plain['kvs'] = [
      request['keys_only'] === true && target === 4 ? [] : sortedBy,
      request['limit'] ? kvs.length : kvs.map((kv) => JSON.stringify(kv)).toSorted(),
    ];
  }
  if (method === 'Txn') {
    const branch = (plain['succeeded'] === true ? request['success'] : request['failure']) as Plain[];
    plain['responses'] = ((plain['responses'] ?? []) as Plain[]).map((one, i) => {
      const [kind, inner] = Object.entries(one)[0] as [string, Plain];
      const method_ = kind === 'txn' ? 'Txn' : kind === 'range' ? 'Range' : kind;
      return { [kind]: comparable(inner, method_, branch[i]![kind] as Plain) };
    });
  }
  return plain;
}

/** What a watch reports up to a revision. */
async function watched(api: EtcdApi, request: Plain, revision: number, compacted: number): Promise<unknown> {
  using watch = await api.watch();
  await watch.send({ create: request });
  const created = await watch.next();
  const found: unknown[] = [{ created: created['created'], canceled: created['canceled'], reason: created['cancel_reason'] }];
  if (created['canceled'] === true) return found;
  if (Number(request['start_revision']) < compacted) {
    const { canceled, compact_revision: compactRevision } = await watch.next();
    return [...found, { canceled, compactRevision }];
  }
  let next = watch.next();
  // A report of progress comes after all that happened before it.
  for (;;) {
    await watch.send({ progress: {} });
    const response = await within(next, 300);
    if (response === undefined) continue;
    next = watch.next();
    next.catch(() => {});
    found.push(...((response['events'] ?? []) as unknown[]));
    if (response['watch_id'] === '-1' && Number((response['header'] as Plain)['revision']) >= revision) return found;
  }
}

/** undefined: it takes longer; etcd does not respond to requests for progress while a watch catches up. */
function within<T>(next: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([next, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))]);
}

import { isDeepStrictEqual } from 'node:util';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { EventLog } from './event-log.ts';
import type { Stub } from './stubs.ts';

export interface Pair {
  readonly ours: ApiServerProcess;
  readonly reference: ApiServerProcess;
}

export interface Site {
  readonly servers: Pair;
  /** the etcd that both use, without an API server in between */
  readonly etcd: Storage;
  /** what a value in etcd must begin with */
  readonly valuePrefix: string;
}

interface StoredObject {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/** What is not as it should be; empty when everything is. */
export type Findings = readonly string[];

/** `collection`: the path that objects of the stub's kind are created at. */
export async function exchange(site: Site, stub: Stub, collection: string): Promise<Findings> {
  const { ours, reference } = site.servers;
  return [
    ...(await pass('ours to reference', site, stub, collection, ours, reference)),
    ...(await pass('reference to ours', site, stub, collection, reference, ours)),
  ];
}

/** One server writes, both read, both change, the other deletes; both watch. */
async function pass(
  direction: string,
  site: Site,
  stub: Stub,
  collection: string,
  writer: ApiServerProcess,
  reader: ApiServerProcess,
): Promise<Findings> {
  const findings: string[] = [];
  const expect = (good: boolean, what: () => string): void => {
    if (!good) findings.push(`${direction}: ${what()}`);
  };
  using writerEvents = await EventLog.open(writer, collection);
  using readerEvents = await EventLog.open(reader, collection);
  const logs = [writerEvents, readerEvents];

  const created = await writer.request('POST', collection, stub.object);
  if (created.status !== 201) return [`${direction}: create: ${created.status} ${message(created.body)}`];
  const object = JSON.parse(created.body) as StoredObject;
  const { name, resourceVersion } = object.metadata;
  const path = `${collection}/${name}`;

  const { kv } = await site.etcd.get(stub.key);
  expect(kv !== undefined, () => `nothing at ${stub.key}`);
  expect(
    kv === undefined || kv.value.toString('latin1').startsWith(site.valuePrefix),
    () => `value begins with ${kv?.value.toString('latin1', 0, 24)}`,
  );

  await eventually(reader, path, 200);
  const [here, there] = await readBoth(writer, reader, path);
  expect(there.status === 200, () => `read: ${there.status} ${message(there.body)}`);
  expect(same(here.body, there.body), () => `read differs: ${firstDifference(JSON.parse(here.body), JSON.parse(there.body))}`);
  for (const log of logs) {
    const told = await log.find('ADDED', name, resourceVersion);
    expect(told !== undefined, () => `no ADDED at the ${log === readerEvents ? 'reader' : 'writer'}`);
    // With the response to the write, not with what is read: a controller of upstream may have changed the object since.
    expect(
      told === undefined || isDeepStrictEqual(told.object, object),
      () => `the event differs from the object: ${firstDifference(object, told?.object)}`,
    );
  }

  // Each server changes what the other wrote last; who has seen less gets a conflict.
  const mark = (text: string): object => ({ metadata: { annotations: { interop: text } } });
  const changed = await reader.request('PATCH', path, mark('reader'));
  expect(changed.status === 200, () => `patch by the reader: ${changed.status} ${message(changed.body)}`);
  const late = await writer.request('PUT', path, object);
  expect(late.status === 409, () => `update of an old version by the writer: ${late.status} ${message(late.body)}`);
  const changedAgain = await writer.request('PATCH', path, mark('writer'));
  expect(changedAgain.status === 200, () => `patch by the writer: ${changedAgain.status} ${message(changedAgain.body)}`);
  const lateToo = await reader.request('PUT', path, JSON.parse(changed.body));
  expect(lateToo.status === 409, () => `update of an old version by the reader: ${lateToo.status} ${message(lateToo.body)}`);
  const [afterHere, afterThere] = await readBoth(writer, reader, path);
  expect(
    same(afterHere.body, afterThere.body),
    () => `after changes: ${firstDifference(JSON.parse(afterHere.body), JSON.parse(afterThere.body))}`,
  );

  const deleted = await reader.request('DELETE', path, { propagationPolicy: 'Background', gracePeriodSeconds: 0 });
  expect(deleted.status < 300, () => `delete: ${deleted.status} ${message(deleted.body)}`);
  const gone = await eventually(writer, path, 404, 2000);
  if (gone.status !== 404) {
    // Held by finalizers whose controllers do not run here; both must say the same.
    const other = await reader.request('GET', path);
    expect(same(gone.body, other.body), () => `being deleted: ${firstDifference(JSON.parse(gone.body), JSON.parse(other.body))}`);
    await release(reader, path);
    return findings;
  }
  for (const log of logs) expect((await log.find('DELETED', name, undefined)) !== undefined, () => 'no DELETED');
  return findings;
}

/** Takes away what holds an object that is being deleted, a namespace's own finalizer included. */
async function release(server: ApiServerProcess, path: string): Promise<void> {
  await server.request('PATCH', path, { metadata: { finalizers: null } });
  if (!path.startsWith('/api/v1/namespaces/')) return;
  const { body } = await server.request('GET', path);
  const namespace = JSON.parse(body) as { spec?: { finalizers?: string[] } };
  if (namespace.spec !== undefined) await server.request('PUT', `${path}/finalize`, { ...namespace, spec: {} });
}

/** The response as soon as it has this status, or the last one after a while: the other server learns of a write by its watch. */
async function eventually(server: ApiServerProcess, path: string, status: number, ms = 3000): Promise<Answer> {
  for (const deadline = Date.now() + ms; ;) {
    const answer = await server.request('GET', path);
    if (answer.status === status || Date.now() > deadline) return answer;
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What both say of an object, as soon as they agree, or at last: a controller of upstream may change it between the two. */
async function readBoth(first: ApiServerProcess, second: ApiServerProcess, path: string, ms = 3000): Promise<[Answer, Answer]> {
  for (const deadline = Date.now() + ms; ;) {
    const answers = await Promise.all([first.request('GET', path), second.request('GET', path)]);
    if (same(answers[0].body, answers[1].body) || Date.now() > deadline) return answers;
  }
}

export function same(first: string, second: string): boolean {
  return isDeepStrictEqual(JSON.parse(first), JSON.parse(second));
}

function message(body: string): string {
  try {
    return String((JSON.parse(body) as { message?: string }).message).slice(0, 200);
  } catch (error) {
    if (error instanceof SyntaxError) return body.slice(0, 200);
    throw error;
  }
}

/** Path and values of the first place where two JSON values differ. */
export function firstDifference(first: unknown, second: unknown, path = ''): string {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (isObject(first) && isObject(second)) {
    for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
      if (!isDeepStrictEqual(first[key], second[key])) return firstDifference(first[key], second[key], `${path}.${key}`);
    }
  }
  return `${path}: ${JSON.stringify(first)?.slice(0, 80)} and ${JSON.stringify(second)?.slice(0, 80)}`;
}

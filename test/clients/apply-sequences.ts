/**
 * Random writes by several managers (apply, update, three kinds of patch, to the object, its status and its scale, with deletes in
 * between) to two servers: objects, managedFields and refusals must be the same after every step.
 *   node test/clients/apply-sequences.ts OURS.kubeconfig REFERENCE.kubeconfig [sequences=2000] [seed=1] [kind]
 */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from './json-client.ts';
import type { ApiClient } from './json-client.ts';
import { Choice } from './sequences/choice.ts';
import type { Json } from './sequences/choice.ts';
import { gadgetDefinition, gadgets } from './sequences/gadgets.ts';
import { services } from './sequences/services.ts';
import { currentMark, nextRequest } from './sequences/subject.ts';
import type { Subject } from './sequences/subject.ts';
import { deployments, pods } from './sequences/workloads.ts';

const writesPerSequence = 8;
const concurrency = 8;
const differencesShown = 5;

const [ours, reference, count = '2000', seed = '1', only] = process.argv.slice(2);
if (ours === undefined || reference === undefined) throw new Error('give two kubeconfigs: ours and the reference');
/** Whatever an earlier run has left behind is another's. */
const run = Date.now().toString(36);
const servers = [connect(ours), connect(reference)] as const;
const subjects = [gadgets, deployments, services, pods, gadgets].filter(({ name }) => only === undefined || name === only);

const volatile: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'deletionTimestamp', 'startTime']);

/** What two servers must agree on. Times order managedFields, so entries are compared sorted. */
function comparable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return key === 'managedFields' || key === 'causes' ? items.map((item) => JSON.stringify(item)).sort() : items;
  }
  if (typeof value === 'string' && key === 'message') return withoutIdentities(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Json)
      .filter(([name]) => !volatile.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, comparable(item, name)]),
  );
}

/** Refusals may quote whole objects, with what differs between servers. */
function withoutIdentities(message: string): string {
  return (
    message
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
      .replace(/(resourceVersion\\*":\\*")\d+/gi, '$1VERSION')
      // upstream validates the fields of a custom resource in no fixed order
      .replace(/is invalid: \[(.*)\]$/s, (_, faults: string) => `is invalid: [${faults.split(', ').sort().join(', ')}]`)
  );
}

/** Plays one sequence; gives the number of writes, or undefined where the servers came to differ. */
async function play(subject: Subject, index: number): Promise<number | undefined> {
  const choice = new Choice(Number(seed) * 1_000_003 + index);
  const name = `${subject.name}-${run}-${index}`;
  let current: Json | undefined;
  let held: readonly (Json | undefined)[] = [];
  for (let step = 0; step < writesPerSequence; step++) {
    const { method, subresource, type, force, body } = nextRequest(subject, choice, name, current);
    const query = `fieldManager=${choice.pick(['m1', 'm2', 'm3'])}${force === true ? '&force=true' : ''}`;
    const path = `${subject.collection}${method === 'POST' ? '' : `/${name}${subresource}`}${method === 'DELETE' ? '' : `?${query}`}`;
    const [mine, theirs] = await both((server, which) => server.request(method, path, own(body, held[which]), type));
    if (!same(mine, theirs)) {
      console.error(`${name} step ${step}: ${method} ${path} ${type}\n${JSON.stringify(body)}`);
      console.error(`  ours      ${shown(mine)}\n  reference ${shown(theirs)}`);
      return undefined;
    }
    const [found, expected] = await both((server) => server.request('GET', `${subject.collection}/${name}`));
    if (!same(found, expected)) {
      console.error(`${name} after step ${step}: ${method} ${path}\n${JSON.stringify(body)}`);
      console.error(`  ours      ${shown(found)}\n  reference ${shown(expected)}`);
      return undefined;
    }
    held = [found, expected].map(({ status, body: object }) => (status === 200 ? (object as Json) : undefined));
    current = held[0];
  }
  await both(async (server) => {
    await server.request('PATCH', `${subject.collection}/${name}`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    return server.request('DELETE', `${subject.collection}/${name}`, { gracePeriodSeconds: 0 });
  });
  return writesPerSequence;
}

type Answer = Awaited<ReturnType<ApiClient['request']>>;

async function both(ask: (server: ApiClient, which: 0 | 1) => Promise<Answer>): Promise<[Answer, Answer]> {
  return Promise.all([ask(servers[0], 0), ask(servers[1], 1)]);
}

/** The body with the server's own times and version where it carries another's. */
function own(body: unknown, held: Json | undefined): unknown {
  const { metadata } = body as { readonly metadata?: Json };
  if (metadata === undefined || held === undefined) return body;
  const { resourceVersion, deletionTimestamp } = held['metadata'] as Json;
  return {
    ...(body as Json),
    metadata: {
      ...metadata,
      ...(metadata['resourceVersion'] === currentMark && { resourceVersion }),
      ...(metadata['deletionTimestamp'] !== undefined && { deletionTimestamp }),
    },
  };
}

function same(mine: Answer, theirs: Answer): boolean {
  return mine.status === theirs.status && isDeepStrictEqual(comparable(mine.body), comparable(theirs.body));
}

function shown({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(comparable(body))}`;
}

/** What the sequences need: a custom resource and the service account that pods run as. */
async function prepare(server: ApiClient): Promise<void> {
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', gadgetDefinition);
  for (;;) {
    const { status } = await server.request('GET', gadgets.collection);
    if (status === 200) return;
    await sleep(100);
  }
}

await Promise.all(servers.map(prepare));
let done = 0;
let writes = 0;
let differing = 0;
const total = Number(count);
async function worker(): Promise<void> {
  while (done < total && differing < differencesShown) {
    const index = done++;
    const played = await play(subjects[index % subjects.length]!, index);
    if (played === undefined) differing++;
    else writes += played;
    if (done % 200 === 0) console.log(`${done} of ${total} sequences, ${writes} writes, ${differing} differ`);
  }
}
await Promise.all(Array.from({ length: concurrency }, worker));
for (const server of servers) server.close();
console.log(`${done} sequences, ${writes} writes, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;

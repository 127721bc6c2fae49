import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { RawClient } from '../../../test/support/raw-client.ts';
import { startTestServer } from '../../testing/index.ts';

interface Event {
  readonly type: string;
  readonly object: {
    kind: string;
    code?: number;
    metadata: { name?: string; resourceVersion: string; annotations?: Record<string, string> };
  };
}

const path = '/api/v1/namespaces/default/configmaps';
const named = (name: string, labels: Record<string, string> = {}): unknown => ({ metadata: { name, labels } });

async function setUp(): Promise<{ client: RawClient; revision: string } & AsyncDisposable> {
  const server = await startTestServer({ controllers: false });
  const client = new RawClient(server);
  const { metadata } = await client.json<{ metadata: { resourceVersion: string } }>('GET', path);
  return {
    client,
    revision: metadata.resourceVersion,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

async function events(client: RawClient, query: string, headers: Record<string, string> = {}): Promise<Event[]> {
  const { text } = await client.call('GET', `${path}?watch=1&timeoutSeconds=1&${query}`, { headers });
  return eventsIn(text);
}

function eventsIn(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event);
}

test('a watch replays what happened since its revision, in order', async () => {
  await using world = await setUp();
  const { client, revision } = world;
  await client.call('POST', path, { body: named('a') });
  await client.call('PATCH', `${path}/a`, {
    body: { data: { k: 'v' } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  await client.call('DELETE', `${path}/a`);
  const seen = await events(client, `resourceVersion=${revision}`);
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['ADDED', 'MODIFIED', 'DELETED'],
  );
});

test('an object that no longer matches the selector is deleted for the watcher', async () => {
  await using world = await setUp();
  const { client, revision } = world;
  await client.call('POST', path, { body: named('a', { tier: 'one' }) });
  await client.call('PATCH', `${path}/a`, {
    body: { metadata: { labels: { tier: 'two' } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  const seen = await events(client, `resourceVersion=${revision}&labelSelector=tier%3Done`);
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['ADDED', 'DELETED'],
  );
});

test('one change is to each watch what it is to its selector, whatever it was to those before', async () => {
  await using world = await setUp();
  const { client } = world;
  await client.call('POST', path, { body: named('a', { stage: 'one' }) });
  const { metadata } = await client.json<{ metadata: { resourceVersion: string } }>('GET', path);
  await client.call('PATCH', `${path}/a`, {
    body: { metadata: { labels: { stage: 'two' } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  const from = `resourceVersion=${metadata.resourceVersion}`;
  const queries = [from, `${from}&labelSelector=stage%3Dtwo`, `${from}&labelSelector=stage%3Done`, from];
  const seen = await Promise.all(queries.map((query) => events(client, query)));
  assert.deepEqual(
    seen.map((all) => all.map(({ type }) => type)),
    [['MODIFIED'], ['ADDED'], ['DELETED'], ['MODIFIED']],
  );
});

test('a state that is larger than what a watch may have waiting is shown completely', async () => {
  await using world = await setUp();
  const { client } = world;
  const data = { filler: 'x'.repeat(40_000) };
  const names = Array.from({ length: 600 }, (_, index) => `large-${index}`);
  for (const name of names) await client.call('POST', path, { body: { metadata: { name }, data } });
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const { text } = await client.call('GET', `${path}?${query}`, { until: '"k8s.io/initial-events-end":"true"}}}}\n' });
  const seen = eventsIn(text);
  assert.equal(new Set(seen.flatMap(({ type, object }) => (type === 'ADDED' ? [object.metadata.name] : []))).size, names.length);
  assert.equal(seen.at(-1)?.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
});

test('sendInitialEvents shows the state and then says that it was all', async () => {
  await using world = await setUp();
  const { client } = world;
  await client.call('POST', path, { body: named('a') });
  const seen = await events(client, 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true');
  const end = seen.find(({ type }) => type === 'BOOKMARK');
  assert.equal(end?.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
  assert.ok(seen.some(({ object }) => object.metadata.name === 'a'));
});

test('a watch as PartialObjectMetadata has no data', async () => {
  await using world = await setUp();
  const { client, revision } = world;
  await client.call('POST', path, { body: { ...(named('a') as object), data: { k: 'v' } } });
  const [event] = await events(client, `resourceVersion=${revision}`, {
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  });
  assert.equal(event?.object.kind, 'PartialObjectMetadata');
  assert.ok(!('data' in (event?.object ?? {})));
});

test('the deprecated /watch/ paths are watches too', async () => {
  await using world = await setUp();
  const { client, revision } = world;
  await client.call('POST', path, { body: named('a') });
  const { text } = await client.call('GET', `/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=${revision}&timeoutSeconds=1`);
  assert.match(text, /"type":"ADDED"/);
});

test('YAML cannot be streamed', async () => {
  await using world = await setUp();
  const { status } = await world.client.call('GET', `${path}?watch=1&timeoutSeconds=1`, { headers: { accept: 'application/yaml' } });
  assert.equal(status, 406);
});

test('a watch over WebSocket sends each event as a text message', async () => {
  await using world = await setUp();
  const { client, revision } = world;
  const socket = new WebSocket(`${client.url.replace('https', 'wss')}${path}?watch=1&resourceVersion=${revision}`, {
    agent: client.agent,
    origin: 'https://example.com',
  });
  const messages: string[] = [];
  const { promise: two, resolve } = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer, binary) => {
    assert.equal(binary, false);
    messages.push(data.toString());
    if (messages.length === 2) resolve();
  });
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  await client.call('POST', path, { body: named('a') });
  await client.call('DELETE', `${path}/a`);
  await two;
  assert.deepEqual(
    messages.map((text) => (JSON.parse(text) as Event).type),
    ['ADDED', 'DELETED'],
  );
  socket.close();
});

test('a watch whose client does not read is cut off, and that is counted', async () => {
  await using world = await setUp();
  const { client } = world;
  const watch = request(`${client.url}${path}?watch=1`, { agent: client.agent }).end();
  const [response] = (await once(watch, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).pause();
  const counted = 'apiserver_terminated_watchers_total{group="",resource="configmaps"} 1\n';
  const data = { k: 'x'.repeat(900_000) };
  for (let i = 0; i < 100 && !(await client.call('GET', '/metrics')).text.includes(counted); i++) {
    assert.equal((await client.call('POST', path, { body: { metadata: { name: `m${i}` }, data } })).status, 201);
  }
  assert.ok((await client.call('GET', '/metrics')).text.includes(counted));
  watch.destroy();
});

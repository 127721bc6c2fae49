import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { KubeClient } from 'wheelhouse';
import type { TestServer } from 'wheelhouse/testing';
import { startTestServer } from 'wheelhouse/testing';

let server: TestServer;
let client: KubeClient;
let start: ReturnType<TestServer['snapshot']>;

beforeAll(async () => {
  server = await startTestServer();
  client = server.client();
  start = server.snapshot();
});
afterEach(async () => void (await server.restore(start)));
afterAll(() => server.stop());

const configMaps = () => client.resource('v1', 'ConfigMap', 'default');

test('create, patch, apply, delete', async () => {
  await configMaps().create({ metadata: { name: 'one' }, data: { a: '1' } });
  expect((await configMaps().patch('one', { data: { b: '2' } })).data).toEqual({ a: '1', b: '2' });
  const applied = await configMaps().apply({ metadata: { name: 'one' }, data: { c: '3' } }, { fieldManager: 'example' });
  expect(applied.data).toEqual({ a: '1', b: '2', c: '3' });
  await expect(configMaps().create({ metadata: { name: 'Not A Name' } })).rejects.toMatchObject({ code: 422 });
  await configMaps().delete('one');
  await configMaps().waitFor('one', 'deleted');
});

test('watch', async () => {
  const { metadata } = await configMaps().list();
  await configMaps().create({ metadata: { name: 'seen' } });
  await configMaps().delete('seen');
  const seen: string[] = [];
  for await (const event of configMaps().watch({ resourceVersion: metadata.resourceVersion })) {
    seen.push(`${event.type} ${event.object.metadata?.name}`);
    if (seen.length === 2) break;
  }
  expect(seen).toEqual(['ADDED seen', 'DELETED seen']);
});

test('informer', async () => {
  const informer = await configMaps().informer();
  const subscription = informer.subscribe({});
  await configMaps().create({ metadata: { name: 'informed' } });
  await expect.poll(() => informer.get('default', 'informed')).toBeDefined();
  await configMaps().delete('informed');
  await expect.poll(() => informer.get('default', 'informed')).toBeUndefined();
  subscription[Symbol.dispose]();
});

test('snapshot, restore, reset', async () => {
  await configMaps().create({ metadata: { name: 'kept' } });
  const snapshot = server.snapshot();
  await configMaps().create({ metadata: { name: 'lost' } });
  await server.restore(snapshot);
  expect(await configMaps().find('kept')).toBeDefined();
  expect(await configMaps().find('lost')).toBeUndefined();
  await server.reset();
  expect(await configMaps().find('kept')).toBeUndefined();
});

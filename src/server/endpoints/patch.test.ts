import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import type { RawAnswer } from '../../../test/support/raw-client.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const path = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
});

// Hooks outside of a suite would run for the tests of every other file too.
describe('patch', () => {
  beforeEach(async () => {
    await server.reset();
    await client.call('POST', path, { body: { metadata: { name: 'a', labels: { x: '1' } }, data: { k: 'v' } } });
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const types = {
    json: 'application/json-patch+json',
    merge: 'application/merge-patch+json',
    strategic: 'application/strategic-merge-patch+json',
    apply: 'application/apply-patch+yaml',
  } as const;

  function patch(type: keyof typeof types, body: unknown, query = '', name = 'a'): Promise<RawAnswer> {
    return client.call('PATCH', `${path}/${name}${query}`, { body, headers: { 'content-type': types[type] } });
  }

  test('an object that was stored without a uid is not there for a patch', async () => {
    await using storage = createMemoryStorage();
    await using other = await startApiServer({ storage });
    await using stranger = new RawClient(other);
    const stored = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'bare', namespace: 'default' }, data: { k: 'v' } };
    const key = '/registry/configmaps/default/bare';
    await storage.transact([{ type: 'put', key, value: Buffer.from(JSON.stringify(stored)), expect: 0 }]);
    const statuses: number[] = [];
    for (const type of ['merge', 'strategic', 'json'] as const) {
      const body = type === 'json' ? [{ op: 'add', path: '/data/x', value: 'y' }] : { data: { x: 'y' } };
      statuses.push((await stranger.call('PATCH', `${path}/bare`, { body, headers: { 'content-type': types[type] } })).status);
    }
    assert.deepEqual(statuses, [404, 404, 404]);
  });

  test('a dry run shows the resource version that it was given, whatever it is', async () => {
    for (const resourceVersion of ['2001:db8::1', '7', 'a"b']) {
      const { status, text } = await client.call('POST', `${path}?dryRun=All`, { body: { metadata: { name: 'dry', resourceVersion } } });
      assert.equal(status, 201);
      assert.deepEqual((JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion, resourceVersion);
    }
  });

  test('a small patch of a large object lets others through between its stages', async () => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 'a']));
    await client.call('POST', path, { body: { metadata: { name: 'large' }, data } });
    const turns = async (name: string): Promise<number> => {
      const before = immediates;
      assert.equal((await patch('merge', { data: { x: 'y' } }, '?dryRun=All', name)).status, 200);
      return immediates - before;
    };
    let immediates = 0;
    const { setImmediate: original } = globalThis;
    globalThis.setImmediate = ((run: () => void) => (immediates++, original(run))) as typeof setImmediate;
    try {
      const small = await turns('a');
      const large = await turns('large');
      assert.ok(large >= small + 8, `${large} turns, ${small} for a small object`);
    } finally {
      globalThis.setImmediate = original;
    }
  });

  interface Answer {
    readonly message?: string;
    readonly data?: Record<string, string>;
    readonly metadata: { resourceVersion?: string; managedFields?: { manager: string; operation: string }[] };
  }

  const parsed = ({ text }: RawAnswer): Answer => JSON.parse(text) as Answer;

  test('each kind of patch changes the data', async () => {
    assert.deepEqual(parsed(await patch('json', [{ op: 'add', path: '/data/j', value: '1' }])).data, { k: 'v', j: '1' });
    assert.deepEqual(parsed(await patch('merge', { data: { j: null, m: '2' } })).data, { k: 'v', m: '2' });
    assert.deepEqual(parsed(await patch('strategic', { data: { $patch: 'replace', s: '3' } })).data, { s: '3' });
  });

  test('nobody minds what a patch says while there is nothing to patch', async () => {
    assert.equal((await patch('json', {}, '', 'missing')).status, 404);
    assert.equal((await patch('json', {})).status, 400);
    assert.equal((await patch('merge', 'no JSON', '', 'missing')).status, 400);
  });

  test('a patch that changes nothing writes nothing', async () => {
    const before = parsed(await client.call('GET', `${path}/a`)).metadata.resourceVersion;
    assert.equal(parsed(await patch('merge', { data: { k: 'v' } })).metadata.resourceVersion, before);
  });

  test('what an operation says twice is refused when fields are validated strictly', async () => {
    const body = '[{"op":"add","op":"add","path":"/data/z","value":"1"}]';
    const answer = await patch('json', body, '?fieldValidation=Strict');
    assert.equal(answer.status, 422);
    assert.match(parsed(answer).message ?? '', /json patch duplicate field "\[0\]\.op"$/);
    assert.match(String((await patch('json', body, '?fieldValidation=Warn')).headers['warning']), /duplicate field/);
    const more =
      '[{"op":"add","path":"/data","value":{"a":"1","b":"1","b":"2"},"odd":{"x":1,"x":2}},{"op":"test","path":"/data/a","value":"1"}]';
    assert.match(
      parsed(await patch('json', more, '?fieldValidation=Strict')).message ?? '',
      /error: json patch duplicate field "\[0\]\.value\.b", json patch unknown field "\[0\]\.odd"$/,
    );
  });

  test('an empty list of managed fields makes the object forget its field managers', async () => {
    const answer = await patch('json', [{ op: 'replace', path: '/metadata/managedFields', value: [] }]);
    assert.equal(parsed(answer).metadata.managedFields, undefined);
    const put = { metadata: { name: 'a', managedFields: [] }, data: { k: 'w' } };
    assert.equal(parsed(await client.call('PUT', `${path}/a`, { body: put })).metadata.managedFields, undefined);
  });

  test('a patched object is read as what it says it is', async () => {
    const answer = await patch('json', [{ op: 'replace', path: '/kind', value: 'Secret' }]);
    assert.equal(answer.status, 422);
    assert.match(parsed(answer).message ?? '', /illegal base64 data at input byte 0$/);
  });

  test('apply creates, owns, conflicts, and takes by force', async () => {
    const config = (value: string): unknown => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { k: value } });
    assert.equal((await patch('apply', config('1'), '?fieldManager=one', 'b')).status, 201);
    const conflict = await patch('apply', config('2'), '?fieldManager=two', 'b');
    assert.equal(conflict.status, 409);
    assert.match(parsed(conflict).message ?? '', /conflict with "one".*: \.data\.k$/);
    const forced = parsed(await patch('apply', config('2'), '?fieldManager=two&force=true', 'b'));
    assert.deepEqual(
      forced.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`),
      ['two Apply'],
    );
  });

  test('YAML that is none is refused before anything is applied', async () => {
    const answer = await patch('apply', 'a:\n\t- b', '?fieldManager=m');
    assert.match(parsed(answer).message ?? '', /^error encoding patch: yaml: /);
  });
});

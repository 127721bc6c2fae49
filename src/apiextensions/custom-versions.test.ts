import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing/index.ts';
import type { Answer } from '../../test/support/admin-client.ts';
import { Client } from '../../test/support/admin-client.ts';
import { startConverter } from '../../test/support/converter.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const own = `${definitions}/gadgets.example.com`;
const gadgets = (version: string): string => `/apis/example.com/${version}/gadgets`;

type Properties = Readonly<Record<string, object>>;

function version(name: string, storage: boolean, properties: Properties): object {
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    subresources: { status: {} },
  };
}

function definition(versions: readonly object[]): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names: { plural: 'gadgets', kind: 'Gadget' }, versions },
  };
}

const gadget = (apiVersion: string, content: object): object => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: 'Gadget',
  metadata: { name: 'one' },
  ...content,
});

const mergePatch = 'application/merge-patch+json';
const text = { type: 'string' };
const withDefault = (value: string): object => ({ ...text, default: value });
const spec = (properties: Properties): Properties => ({ spec: { type: 'object', properties } });

test('objects are read with the defaults of the version that they are stored in, as far as the version asked for has the fields', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const versions = (served: Properties, stored: Properties): object[] => [
    version('v1', false, spec(served)),
    version('v2', true, spec(stored)),
  ];
  const before = versions(
    { a: text, shared: text, one: withDefault('of v1') },
    { a: text, shared: withDefault('stored'), hidden: withDefault('x') },
  );
  await client.call('POST', definitions, definition(before));
  const created = await client.call('POST', gadgets('v1'), gadget('v1', { spec: { a: 'x', one: 'mine' } }));
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.deepEqual(created.body['spec'], { a: 'x', shared: 'stored' }, 'v2 has no field `one`, v1 no field `hidden`');
  assert.deepEqual((await client.call('GET', `${gadgets('v2')}/one`)).body['spec'], { a: 'x', shared: 'stored', hidden: 'x' });
  const after = versions({ a: text, shared: withDefault('of v1') }, { a: text, shared: text, hidden: text });
  await client.call('PATCH', own, { spec: { versions: after } }, mergePatch);
  assert.deepEqual((await client.call('GET', `${gadgets('v1')}/one`)).body['spec'], { a: 'x' }, 'the default is gone with its schema');
});

test('a default of a status that nobody wrote goes away with its schema', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const status = (a: object): object => ({ status: { type: 'object', properties: { a }, default: {} } });
  await client.call('POST', definitions, definition([version('v1', true, status(withDefault('x')) as Properties)]));
  const created = await client.call('POST', gadgets('v1'), gadget('v1', {}));
  assert.deepEqual(created.body['status'], { a: 'x' });
  await client.call('PATCH', own, { spec: { versions: [version('v1', true, status(text) as Properties)] } }, mergePatch);
  assert.deepEqual((await client.call('GET', `${gadgets('v1')}/one`)).body['status'], {});
});

test('an update through another version that changes nothing at rest writes nothing, unless another version is stored now', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const versions = (stored: string): object[] => ['v1', 'v2'].map((name) => version(name, name === stored, spec({ a: text })));
  await client.call('POST', definitions, definition(versions('v2')));
  const { body: created } = await client.call('POST', gadgets('v1'), gadget('v1', { spec: { a: 'x' } }));
  const revision = (body: object): unknown => (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  const same = await client.call('PUT', `${gadgets('v1')}/one`, created);
  assert.equal(revision(same.body), revision(created));
  await client.call('PATCH', own, { spec: { versions: versions('v1') } }, mergePatch);
  const again = await client.call('PUT', `${gadgets('v1')}/one`, same.body);
  assert.notEqual(revision(again.body), revision(created));
});

test('defaults of embedded resources lose the metadata that nobody knows', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: {
      apiVersion: text,
      kind: text,
      metadata: { type: 'object', properties: { name: withDefault('n'), unknown: withDefault('u') } },
    },
    default: { apiVersion: 'v1', kind: 'Foo', metadata: {} },
  };
  const whole = {
    ...embedded,
    'x-kubernetes-preserve-unknown-fields': true,
    default: { apiVersion: 'v1', kind: 'Foo', metadata: { name: 'n', unknown: 'u' } },
  };
  const { status, body } = await client.call('POST', definitions, definition([version('v1', true, { fields: embedded, whole })]));
  assert.equal(status, 201, JSON.stringify(body));
  const created = await client.call('POST', gadgets('v1'), gadget('v1', {}));
  const expected = { apiVersion: 'v1', kind: 'Foo', metadata: { name: 'n' } };
  assert.deepEqual(created.body['fields'], expected);
  assert.deepEqual(created.body['whole'], expected);
});

test('what a schema says of apiVersion holds for the version of the handler, whatever was there before', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const versions = (apiVersion: object): object[] =>
    ['v1', 'v2'].map((name) => version(name, name === 'v2', { ...spec({ a: text }), apiVersion }));
  await client.call('POST', definitions, definition(versions(text)));
  await client.call('POST', gadgets('v1'), gadget('v1', {}));
  await client.call('PATCH', own, { spec: { versions: versions({ ...text, pattern: '^example.com/v1$' }) } }, mergePatch);
  const change = { spec: { a: 'b' } };
  assert.equal((await client.call('PATCH', `${gadgets('v1')}/one`, change, mergePatch)).status, 200);
  assert.equal((await client.call('PATCH', `${gadgets('v2')}/one`, { spec: { a: 'c' } }, mergePatch)).status, 422);
});

test('items of a list with keys may change places where the list has more of them than it should', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const item = { type: 'object', required: ['name'], properties: { name: text, value: text } };
  const list = { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  await client.call('POST', definitions, definition([version('v1', true, { list })]));
  const items = ['a', 'b', 'c'].map((name) => ({ name, value: 'x' }));
  await client.call('POST', gadgets('v1'), gadget('v1', { list: items }));
  await client.call('PATCH', own, { spec: { versions: [version('v1', true, { list: { ...list, maxItems: 2 } })] } }, mergePatch);
  const put = (list: readonly object[]): Promise<{ status: number }> => client.call('PATCH', `${gadgets('v1')}/one`, { list }, mergePatch);
  assert.equal((await put(items.toReversed())).status, 200);
  assert.equal((await put(items.map(({ name }) => ({ name, value: 'y' })))).status, 422);
});

test('what was stored in another version stays whole in that version, until it is written again', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const versions = (stored: string): object[] => [
    version('v1', stored === 'v1', spec({ a: text, old: text })),
    version('v2', stored === 'v2', spec({ a: text })),
  ];
  await client.call('POST', definitions, definition(versions('v1')));
  await client.call('POST', gadgets('v1'), gadget('v1', { spec: { a: 'x', old: 'y' } }));
  const read = async (name: string): Promise<unknown> => (await client.call('GET', `${gadgets(name)}/one`)).body['spec'];
  await client.call('PATCH', own, { spec: { versions: versions('v2') } }, mergePatch);
  assert.deepEqual(await read('v2'), { a: 'x' });
  assert.deepEqual(await read('v1'), { a: 'x', old: 'y' }, 'read as it is stored');
  await client.call('PATCH', `${gadgets('v1')}/one`, { spec: { a: 'z' } }, mergePatch);
  assert.deepEqual(await read('v1'), { a: 'z' }, 'stored as v2, which has no such field');
});

test('versions share a cache, and every one of them lists, selects and watches in its own shape', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const selectable = (name: string, storage: boolean, properties: Properties): object => ({
    ...version(name, storage, spec(properties)),
    selectableFields: Object.keys(properties).map((field) => ({ jsonPath: `.spec.${field}` })),
  });
  const versions = [
    selectable('v1', false, { a: text, one: text }),
    selectable('v2', true, { a: text, one: text, two: text }),
    selectable('v3', false, { a: text, two: text }),
  ];
  const { status, body: created } = await client.call('POST', definitions, definition(versions));
  assert.equal(status, 201, JSON.stringify(created));
  const specOf = { v1: { a: 'x', one: '1' }, v2: { a: 'x', one: '1', two: '2' }, v3: { a: 'x', two: '2' } };
  /** A write through v3 loses what only others know. */
  const afterwards = { v1: { a: 'x' }, v2: { a: 'x', two: '3' }, v3: { a: 'x', two: '3' } };
  const whole = gadget('v2', { spec: specOf.v2 }) as { metadata: object };
  await client.call('POST', gadgets('v2'), { ...whole, metadata: { name: 'one', labels: { in: 'yes' } } });
  await client.call('POST', gadgets('v2'), { ...whole, metadata: { name: 'two' }, spec: { a: 'y' } });
  const streams = await Promise.all(
    Object.keys(specOf).map((name) => client.events(`${gadgets(name)}?watch=1&labelSelector=in%3Dyes&fieldSelector=spec.a%3Dx`)),
  );
  for (const [name, expected] of Object.entries(specOf)) {
    const lists = ['', '?fieldSelector=spec.a%3Dx', '?labelSelector=in', '?limit=1'];
    for (const query of lists) {
      const { body } = await client.call('GET', gadgets(name) + query);
      const [first] = body['items'] as { apiVersion: string; spec: object }[];
      assert.deepEqual([first?.apiVersion, first?.spec], [`example.com/${name}`, expected], `${name}${query}`);
    }
  }
  await client.call('PATCH', `${gadgets('v3')}/one`, { spec: { two: '3' } }, mergePatch);
  await client.call('DELETE', `${gadgets('v1')}/one`);
  for (const [at, name] of (['v1', 'v2', 'v3'] as const).entries()) {
    const seen: unknown[] = [];
    for await (const { type, object } of streams[at] ?? []) {
      const { apiVersion, spec: shown } = object as { apiVersion: string; spec: object };
      assert.equal(apiVersion, `example.com/${name}`);
      seen.push([type, shown]);
      if (type === 'DELETED') break;
    }
    const last = afterwards[name];
    assert.deepEqual(seen, [
      ['ADDED', specOf[name]],
      ['MODIFIED', last],
      ['DELETED', last],
    ]);
  }
  const { text: metrics } = (await client.call('GET', '/metrics')).body as { text: string };
  assert.match(metrics, /^apiserver_watch_cache_initializations_total\{group="example.com",resource="gadgets"\} 1$/m);
});

test('requests go on while their definition changes, and watches end without an error', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  await client.call('POST', definitions, definition([version('v1', true, spec({ a: text }))]));
  await client.call('POST', gadgets('v1'), gadget('v1', {}));
  const began = Promise.withResolvers<void>();
  const watched = client.watch(`${gadgets('v1')}?watch=1`, began.resolve);
  await began.promise;
  const outcomes = new Set<number>();
  let isOver = false;
  const read = async (): Promise<void> => {
    while (!isOver) outcomes.add((await client.call('GET', `${gadgets('v1')}/one`)).status);
  };
  const readers = [read(), read(), read()];
  for (let round = 0; round < 10; round++) {
    const versions = [version('v1', true, spec({ a: text, [`b${round}`]: text }))];
    assert.equal((await client.call('PATCH', own, { spec: { versions } }, mergePatch)).status, 200);
  }
  isOver = true;
  await Promise.all(readers);
  assert.deepEqual([...outcomes], [200]);
  assert.deepEqual(await watched, ['ADDED']);
});

test('managers of different versions apply to one object, which a webhook converts for each of them', async () => {
  await using converter = await startConverter(() => (object) => {
    const { spec, data, ...rest } = object as { spec?: { a?: string; b?: string }; data?: { values: Record<string, string> } };
    if (data !== undefined) return { ...rest, spec: data.values };
    return spec === undefined ? rest : { ...rest, data: { values: spec } };
  });
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const values = { type: 'object', properties: { a: text, b: text } };
  const versions = [version('v1', false, { spec: values }), version('v2', true, { data: { type: 'object', properties: { values } } })];
  const conversion = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: converter.clientConfig },
  };
  const base = definition(versions) as { spec: object };
  assert.equal((await client.call('POST', definitions, { ...base, spec: { ...base.spec, conversion } })).status, 201);
  const apply = (name: string, manager: string, content: object): Promise<Answer> =>
    client.call('PATCH', `${gadgets(name)}/one?fieldManager=${manager}`, gadget(name, content), 'application/apply-patch+yaml');
  await apply('v1', 'first', { spec: { a: 'x' } });
  const second = await apply('v2', 'second', { data: { values: { b: 'y' } } });
  assert.deepEqual(second.body['data'], { values: { a: 'x', b: 'y' } }, JSON.stringify(second.body));
  const third = await apply('v1', 'first', {});
  assert.deepEqual(third.body['spec'], { b: 'y' });
  assert.equal((await apply('v1', 'first', { spec: { b: 'z' } })).status, 409);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readYaml } from '../../machinery/codec/yaml/read.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

interface List {
  readonly kind: string;
  readonly code?: number;
  readonly message?: string;
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  readonly items: { metadata: { name: string } }[] | null;
}

const path = '/api/v1/namespaces/default/configmaps';
const names = ['a', 'b', 'c', 'd', 'e'];
let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
  for (const [index, name] of names.entries()) {
    const labels = { number: String(index), ...(index % 2 === 1 && { odd: 'yes' }) };
    await client.call('POST', path, { body: { metadata: { name, labels }, data: { n: String(index) } } });
  }
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

const list = (query: string): Promise<List> => client.json<List>('GET', `${path}?${query}`);
const namesOf = ({ items }: List): string[] => (items ?? []).map(({ metadata }) => metadata.name);

test('pages follow each other at one revision and say how much is left', async () => {
  const first = await list('limit=2&labelSelector=number');
  assert.deepEqual(namesOf(first), ['a', 'b']);
  assert.equal(first.metadata.remainingItemCount, undefined, 'not known where a selector decides');
  await client.call('POST', path, { body: { metadata: { name: 'bb', labels: { number: '9' } } } });
  const second = await list(`limit=2&labelSelector=number&continue=${first.metadata.continue}`);
  assert.deepEqual(namesOf(second), ['c', 'd']);
  assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
  await client.call('DELETE', `${path}/bb`);
});

test('remainingItemCount counts what no selector hides', async () => {
  const all = namesOf(await list(''));
  const page = await list('limit=1');
  assert.equal(page.metadata.remainingItemCount, all.length - 1);
});

const selectors: readonly (readonly [query: string, expected: readonly string[]])[] = [
  ['labelSelector=odd', ['b', 'd']],
  ['labelSelector=odd%3Dyes,number!%3D1', ['d']],
  ['labelSelector=number in (0,4)', ['a', 'e']],
  ['labelSelector=number,!odd', ['a', 'c', 'e']],
  ['labelSelector=number>2', ['d', 'e']],
  ['fieldSelector=metadata.name%3Dc', ['c']],
];

for (const [query, expected] of selectors) {
  test(`a list with ${query} shows ${expected.join(', ')}`, async () => {
    assert.deepEqual(namesOf(await list(query.replaceAll(' ', '%20'))), expected);
  });
}

const refused: readonly (readonly [query: string, code: number, message: RegExp])[] = [
  ['labelSelector=a%20in%20(', 400, /unable to parse requirement/],
  ['fieldSelector=spec.nope%3D1', 400, /is not a known field selector|field label not supported/],
  ['continue=!', 400, /continue key is not valid/],
  ['limit=x', 400, /invalid syntax/],
  ['resourceVersion=9999999&resourceVersionMatch=NotOlderThan', 504, /Too large resource version/],
  ['resourceVersionMatch=Exact', 422, /resourceVersionMatch/],
];

for (const [query, code, message] of refused) {
  test(`a list with ${query} is refused with ${code}`, async () => {
    const status = await list(query);
    assert.equal(status.code, code);
    assert.match(status.message ?? '', message);
  });
}

test('a list of metadata that is empty has no list of items', async () => {
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const nothing = await client.json<List>('GET', `${path}?labelSelector=nothing`, { headers: { accept } });
  assert.equal(nothing.items, null);
});

test('metadata of one object cannot be had for a list, nor that of a list for one object', async () => {
  const as = (kind: string): { headers: { accept: string } } => ({ headers: { accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` } });
  const ofList = await client.json<List>('GET', path, as('PartialObjectMetadata'));
  assert.match(ofList.message ?? '', /but the requested object is a list \(\*core\.ConfigMapList\)$/);
  const ofOne = await client.json<List>('GET', `${path}/a`, as('PartialObjectMetadataList'));
  assert.equal(ofOne.code, 406);
});

test('metadata in a list and in an event is that of the single object, byte by byte', async () => {
  const annotations = { quotes: 'a "b" \\', braces: '}{][', 'example.com/html': '<&>\u2028', other: 'gr\u00fcn \u{1f600}' };
  const spec = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: {} } };
  const template = { ...spec.template, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const odd = { name: 'odd', annotations, finalizers: ['example.com/x'], labels: { strange: 'yes' } };
  for (const [where, body] of [
    [path, { metadata: odd, data: { metadata: '{}' } }],
    ['/apis/apps/v1/namespaces/default/daemonsets', { metadata: odd, spec: { ...spec, template } }],
  ] as const) {
    assert.equal((await client.call('POST', where, { body })).status, 201);
    const as = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
    const get = async (url: string, kind: string): Promise<string> =>
      (await client.call('GET', url, { headers: { accept: as(kind) } })).text;
    const single = (await get(`${where}/odd`, 'PartialObjectMetadata')).trimEnd();
    assert.match(single, /^\{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io\/v1","metadata":\{"name":"odd"/);
    const listed = await get(`${where}?labelSelector=strange`, 'PartialObjectMetadataList');
    assert.equal(listed.slice(listed.indexOf('"items":[') + 9).trimEnd(), `${single}]}`);
    const event = await get(`${where}?labelSelector=strange&watch=1&timeoutSeconds=1`, 'PartialObjectMetadata');
    assert.equal(event, `{"type":"ADDED","object":${single}}\n`);
    await client.call('PATCH', `${where}/odd`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { finalizers: null } },
    });
    await client.call('DELETE', `${where}/odd`);
  }
});

test('a table has the columns of the kind and a row per object', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const query = 'labelSelector=number&includeObject=None';
  const table = await client.json<{ columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] }>('GET', `${path}?${query}`, {
    headers: { accept },
  });
  assert.deepEqual(
    table.columnDefinitions.map(({ name }) => name),
    ['Name', 'Data', 'Age'],
  );
  assert.deepEqual(
    table.rows.map(({ cells }) => cells.slice(0, 2)),
    names.map((name) => [name, 1]),
  );
});

test('answers of more than 128 KB are compressed for those who can read that', async () => {
  const data = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key-${index}`, 'x'.repeat(1000)]));
  await client.call('POST', path, { body: { metadata: { name: 'large' }, data } });
  const { headers, bytes } = await client.call('GET', `${path}/large`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(headers['content-encoding'], 'gzip');
  assert.ok(bytes.length < 20_000);
  await client.call('DELETE', `${path}/large`);
});

/** The server writes too: lists of one revision are the same. */
async function revisionOf(listed: string): Promise<string> {
  const { metadata } = await client.json<List>('GET', listed);
  return `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
}

const many = '/api/v1/namespaces/kube-public/configmaps';

test('a long list in YAML, which is written in parts as its client reads them, reads as the same list in JSON', async () => {
  const odd = ['a: b', '- x', '\n', 'items: []', '|', ' '];
  for (let index = 0; index < 45; index++) {
    const data = { a: odd[index % odd.length] as string, b: 'long '.repeat(index % 7 === 0 ? 20_000 : 1) };
    await client.call('POST', many, { body: { metadata: { name: `n${String(index).padStart(2, '0')}` }, data } });
  }
  for (const kind of ['', ';as=PartialObjectMetadataList;v=v1;g=meta.k8s.io']) {
    const same = `${many}?${await revisionOf(many)}`;
    const { text } = await client.call('GET', same, { headers: { accept: `application/yaml${kind}` } });
    const json = await client.call('GET', same, { headers: { accept: `application/json${kind}` } });
    assert.deepEqual(readYaml(text).value, JSON.parse(json.text));
  }
});

test('a long list that is indented, which is written item by item, is the same list in JSON', async () => {
  for (const kind of ['', ';as=PartialObjectMetadataList;v=v1;g=meta.k8s.io']) {
    for (const query of ['', 'limit=1', 'labelSelector=none']) {
      const same = `${many}?${query}&${await revisionOf(many)}`;
      const { text } = await client.call('GET', `${same}&pretty=true`, { headers: { accept: `application/json${kind}` } });
      const json = await client.call('GET', same, { headers: { accept: `application/json${kind}` } });
      assert.equal(text, JSON.stringify(JSON.parse(json.text), undefined, 2));
    }
  }
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const path = '/api/v1/namespaces/default/configmaps';
const count = 300;
let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
  for (let index = 0; index < count; index++) {
    const data = { text: `${index} – ü ${'line '.repeat(200)}`, ...(index === 100 && { large: 'x'.repeat(200_000) }) };
    await client.call('POST', path, { body: { metadata: { name: `n-${index}`, labels: { odd: String(index % 2) } }, data } });
  }
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

const accepts = ['application/json', 'application/vnd.kubernetes.protobuf'];

/** The list in gzip, which is checked against the same list as it is. */
async function checkedList(query: string, accept: string): Promise<string> {
  const list = (encoding: string) => client.call('GET', path + query, { headers: { accept, 'accept-encoding': encoding } });
  const plain = await list('identity');
  const { headers, bytes } = await list('gzip');
  // The server has written something of its own meanwhile, such as its lease: lists have the newest revision.
  if (!plain.bytes.equals((await list('identity')).bytes)) return checkedList(query, accept);
  assert.equal(headers['content-encoding'], 'gzip');
  assert.equal(headers['vary'], 'Accept-Encoding');
  assert.equal(headers['content-type'], plain.headers['content-type']);
  assert.ok(bytes.length < plain.bytes.length / 3, `${bytes.length} of ${plain.bytes.length}`);
  const read = gunzipSync(bytes);
  assert.ok(read.equals(plain.bytes), `${accept} ${query}: another list`);
  return read.toString();
}

for (const accept of accepts) {
  test(`a list in gzip is the same list, whatever of it was kept: ${accept}`, async () => {
    const value = `value of ${accept}`;
    await checkedList('', accept);
    await checkedList('', accept);
    await client.call('PATCH', `${path}/n-150`, {
      body: { data: { text: value } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.ok((await checkedList('', accept)).includes(value));
    await client.call('DELETE', `${path}/n-0`);
    await client.call('DELETE', `${path}/n-299`);
    assert.ok(!(await checkedList('', accept)).includes('n-299'));
    await client.call('POST', path, { body: { metadata: { name: 'n-0' }, data: { text: 'new' } } });
    await client.call('POST', path, { body: { metadata: { name: 'n-299' }, data: { text: 'new' } } });
    await checkedList('', accept);
    await checkedList('?labelSelector=odd%3D1', accept);
    await checkedList('?limit=250', accept);
    await checkedList('', accept);
  });
}

test('a list that is short, indented or of metadata is compressed or not as before', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const short = await client.call('GET', `${path}?limit=2`, { headers });
  assert.equal(short.headers['content-encoding'], undefined);
  const indented = await client.call('GET', `${path}?pretty=1`, { headers });
  assert.equal(indented.headers['content-encoding'], 'gzip');
  assert.ok(gunzipSync(indented.bytes).toString().startsWith('{\n  "kind": "ConfigMapList"'));
});

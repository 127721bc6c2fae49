import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import type { ConfigMap } from '../../schema/types/core-v1.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';

const headers = { 'content-type': 'application/merge-patch+json' };
const pathIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`;

describe('the publisher of the root certificate', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: ['root-ca-certificate-publisher-controller'] });
    client = new RawClient(server);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const createNamespace = (name: string): Promise<unknown> => client.call('POST', '/api/v1/namespaces', { body: { metadata: { name } } });

  async function read(namespace: string): Promise<ConfigMap | undefined> {
    const { status, text } = await client.call('GET', pathIn(namespace));
    return status === 200 ? (JSON.parse(text) as ConfigMap) : undefined;
  }

  /** The config map when it holds what it should, and the uid is not this one. */
  const published = (namespace: string, formerUid?: string): Promise<ConfigMap> =>
    eventually(`the certificate is published in ${namespace}`, async () => {
      const configMap = await read(namespace);
      const good = configMap?.data?.['ca.crt'] === server.authority.certificate && configMap.metadata.uid !== formerUid;
      return good ? configMap : undefined;
    });

  test('tells every namespace that is there from the start', async () => {
    for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) await published(namespace);
  });

  test('tells a new namespace, and says what the certificate is for', async () => {
    await createNamespace('new');
    const { data, metadata } = await published('new');
    assert.deepEqual(Object.keys(data ?? {}), ['ca.crt']);
    assert.match(metadata.annotations?.['kubernetes.io/description'] ?? '', /^Contains a CA bundle/);
  });

  test('publishes it again when it was deleted', async () => {
    await createNamespace('deleted');
    const { metadata } = await published('deleted');
    await client.call('DELETE', pathIn('deleted'));
    await published('deleted', metadata.uid);
  });

  test('takes back what was changed, and leaves labels and other annotations', async () => {
    await createNamespace('changed');
    await published('changed');
    const body = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, data: { 'ca.crt': 'forged', more: 'x' } };
    assert.equal((await client.call('PATCH', pathIn('changed'), { headers, body })).status, 200);
    const { data, metadata } = await published('changed');
    assert.deepEqual(Object.keys(data ?? {}), ['ca.crt']);
    assert.deepEqual([metadata.labels, metadata.annotations?.['c']], [{ a: 'b' }, 'd']);
  });

  test('leaves a namespace alone that is about to go', async () => {
    await createNamespace('going');
    await published('going');
    await client.call('DELETE', '/api/v1/namespaces/going');
    await client.call('DELETE', pathIn('going'));
    // The publisher has seen the deletion once it has dealt with what came later.
    await createNamespace('later');
    await published('later');
    assert.equal(await read('going'), undefined);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import type { ServiceAccount } from '../../schema/types/core-v1.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';

const accountsIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/serviceaccounts`;

describe('the controller of default service accounts', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: ['serviceaccount-controller'] });
    client = new RawClient(server);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const createNamespace = (name: string): Promise<unknown> => client.call('POST', '/api/v1/namespaces', { body: { metadata: { name } } });

  async function read(namespace: string, name = 'default'): Promise<ServiceAccount | undefined> {
    const { status, text } = await client.call('GET', `${accountsIn(namespace)}/${name}`);
    return status === 200 ? (JSON.parse(text) as ServiceAccount) : undefined;
  }

  const made = (namespace: string, formerUid?: string): Promise<ServiceAccount> =>
    eventually(`${namespace} has a default account`, async () => {
      const account = await read(namespace);
      return account?.metadata.uid === formerUid ? undefined : account;
    });

  test('gives one to every namespace that is there from the start', async () => {
    for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) await made(namespace);
  });

  test('gives one to a new namespace, without secrets', async () => {
    await createNamespace('new');
    const { secrets, imagePullSecrets, automountServiceAccountToken } = await made('new');
    assert.deepEqual([secrets, imagePullSecrets, automountServiceAccountToken], [undefined, undefined, undefined]);
  });

  test('gives another one when it was deleted', async () => {
    await createNamespace('deleted');
    const { metadata } = await made('deleted');
    await client.call('DELETE', `${accountsIn('deleted')}/default`);
    await made('deleted', metadata.uid);
  });

  test('has no interest in other accounts, nor in what the default one says', async () => {
    await createNamespace('others');
    const { metadata } = await made('others');
    await client.call('POST', accountsIn('others'), { body: { metadata: { name: 'robot' } } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    await client.call('PATCH', `${accountsIn('others')}/default`, { headers, body: { automountServiceAccountToken: false } });
    await client.call('DELETE', `${accountsIn('others')}/robot`);
    // The controller has seen the deletion once it has dealt with what came later.
    await createNamespace('after-others');
    await made('after-others');
    const account = await read('others');
    assert.deepEqual([account?.metadata.uid, account?.automountServiceAccountToken], [metadata.uid, false]);
    assert.equal(await read('others', 'robot'), undefined);
  });

  test('leaves a namespace alone that is about to go', async () => {
    await createNamespace('going');
    await made('going');
    await client.call('DELETE', '/api/v1/namespaces/going');
    await client.call('DELETE', `${accountsIn('going')}/default`);
    await createNamespace('later');
    await made('later');
    assert.equal(await read('going'), undefined);
  });
});

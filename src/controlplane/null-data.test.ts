import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing/index.ts';

test('a Secret with a null among its data is written by every update, as upstream does: it is read in another form than it is stored in', async () => {
  await using server = await startTestServer();
  const client = server.client();
  const version = async (data: object): Promise<string> => {
    const response = await client.fetch('/api/v1/namespaces/default/secrets/s?fieldManager=one', {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data }),
    });
    const { metadata } = (await response.json()) as { metadata: { resourceVersion: string } };
    return metadata.resourceVersion;
  };
  const versions = [await version({ a: null }), await version({ a: null }), await version({ a: '' }), await version({ a: '' })];
  assert.equal(new Set(versions).size, 3, versions.join(' '));
});

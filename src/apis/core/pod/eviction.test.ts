import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { startApiServer } from '../../../index.ts';

test('an eviction may be of v1beta1, which is served nowhere else, and of no version that is unknown', async () => {
  await using server = await startApiServer({ admission: { disable: ['ServiceAccount'] } });
  await using client = new RawClient(server);
  const pods = '/api/v1/namespaces/default/pods';
  await client.call('POST', pods, { body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } });
  const evict = (apiVersion: string | undefined): ReturnType<RawClient['call']> =>
    client.call('POST', `${pods}/p/eviction`, {
      body: { apiVersion, kind: 'Eviction', metadata: { name: 'p' }, deleteOptions: { dryRun: ['All'] } },
    });
  for (const apiVersion of [undefined, 'policy/v1', 'policy/v1beta1']) {
    const { status, text } = await evict(apiVersion);
    assert.equal(status, 201, text);
    assert.match(text, /"kind":"Status"/);
  }
  const unknown = await evict('policy/v2');
  assert.equal(unknown.status, 400);
  assert.match(unknown.text, /no kind \\"Eviction\\" is registered for version \\"policy\/v2\\"/);
});

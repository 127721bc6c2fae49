import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, until } from '../../../test/support/eventually.ts';
import { holdingBack } from '../../../test/support/holding-back.ts';
import { freePort } from '../../../test/etcd/etcd-process.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { createAuthority, issueCertificate } from '../../base/tls/certificate.ts';
import type { StorageVersion, StorageVersionStatus } from '../../schema/types/apiserverinternal-v1alpha1.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { agree } from './storage-versions.ts';

const timeout = 30_000;
const path = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const options = {
  controllers: false,
  features: { StorageVersionAPI: true },
  apis: { 'internal.apiserver.k8s.io/v1alpha1': true },
} as const;

async function all(client: RawClient): Promise<Map<string, StorageVersionStatus>> {
  const { items } = JSON.parse((await client.call('GET', path)).text) as { items: StorageVersion[] };
  return new Map(items.map(({ metadata, status }) => [metadata.name ?? '', status]));
}

test('a server says how it stores each built-in resource, and what it can read', { timeout }, async () => {
  await using storage = createMemoryStorage({});
  await using server = await startApiServer({ ...options, storage });
  await using client = new RawClient(server);
  const said = await all(client);
  const [deployments] = said.get('apps.deployments')?.storageVersions ?? [];
  assert.match(deployments?.apiServerID ?? '', /^apiserver-[a-z2-7]{26}$/);
  assert.equal(deployments?.encodingVersion, 'apps/v1');
  assert.deepEqual(deployments?.decodableVersions, ['apps/v1', 'apps/v1beta2', 'apps/v1beta1']);
  assert.deepEqual(deployments?.servedVersions, ['apps/v1']);
  assert.equal(said.get('apiextensions.k8s.io.customresourcedefinitions')?.commonEncodingVersion, 'apiextensions.k8s.io/v1beta1');
  // The same objects in two groups are one.
  assert.deepEqual(said.get('core.events')?.storageVersions?.[0]?.decodableVersions, ['v1', 'events.k8s.io/v1']);
  assert.ok(!said.has('events.k8s.io.events'));
  assert.ok(!said.has('authentication.k8s.io.tokenreviews'));
  assert.match((await client.call('GET', '/readyz?verbose')).text, /\[\+\]poststarthook\/built-in-resources-storage-version-updater ok/);
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:storage-version-garbage-collector';
  assert.equal((await client.call('GET', role)).status, 200);
});

test('another server adds what it does, and what is the same stays as it is', { timeout }, async () => {
  await using storage = createMemoryStorage({});
  const other = { apiServerID: 'other', encodingVersion: 'v2', decodableVersions: ['v1', 'v2'] };
  {
    await using server = await startApiServer({ ...options, storage });
    await using client = new RawClient(server);
    const { metadata } = JSON.parse((await client.call('GET', `${path}/core.pods`)).text) as StorageVersion;
    const status = { storageVersions: [other], commonEncodingVersion: 'v2' };
    const { status: code, text } = await client.call('PUT', `${path}/core.pods/status`, { body: { metadata, spec: {}, status } });
    assert.equal(code, 200, text);
  }
  await using server = await startApiServer({ ...options, storage });
  await using client = new RawClient(server);
  const pods = (await all(client)).get('core.pods');
  assert.deepEqual(
    pods?.storageVersions?.map(({ encodingVersion }) => encodingVersion),
    ['v2', 'v1'],
  );
  assert.equal(pods?.commonEncodingVersion, undefined);
  assert.equal(pods?.conditions?.[0]?.status, 'False');
});

test('until it is said nothing is written but what that needs', { timeout }, async () => {
  await using memory = createMemoryStorage({});
  const { storage, release } = holdingBack(memory, '/registry/storageversions/');
  const validity = { from: new Date(Date.now() - 3600_000), to: new Date(Date.now() + 3600_000) };
  const authority = createAuthority({ commonName: 'test' }, validity);
  const admin = issueCertificate(authority, {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    uses: ['client'],
    validity,
  });
  const port = await freePort();
  const starting = startApiServer({ ...options, storage, authority, port });
  await using client = new RawClient({ url: `https://127.0.0.1:${port}`, authority, admin });
  await eventually('the server listens', async () => client.call('GET', '/version').catch(() => undefined));
  const write = async (to: string, body: object): Promise<number> => (await client.call('POST', to, { body })).status;
  const object = { metadata: { name: 'a' } };
  await until('the namespace is there', async () => (await client.call('GET', '/api/v1/namespaces/kube-system')).status === 200);
  const { status, text } = await client.call('POST', '/api/v1/namespaces/kube-system/configmaps', { body: object });
  assert.equal(status, 503);
  assert.match(text, /wait for storage version registration to complete for resource: configmaps, last seen error: \\u003cnil/);
  assert.match(text, /"reason":"ServiceUnavailable"/);
  assert.equal(await write('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', object), 201);
  assert.equal(await write('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } }), 201);
  assert.equal((await client.call('GET', '/api/v1/namespaces/kube-system/configmaps')).status, 200);
  release();
  await until('it is said', async () => (await write('/api/v1/namespaces/kube-system/configmaps', object)) === 201);
  await using _ = await starting;
});

test('a server that does not serve StorageVersions does not start where it should write them', async () => {
  const { apis: _, ...rest } = options;
  await assert.rejects(startApiServer(rest), /--runtime-config/);
});

const at = (encodings: readonly string[], status: StorageVersionStatus = {}): StorageVersionStatus => {
  const storageVersions = encodings.map((encodingVersion, index) => ({ apiServerID: `${index}`, encodingVersion }));
  const object = { metadata: { name: 'a.b' }, spec: {}, status: { ...status, storageVersions } };
  agree(object, '2026-01-02T00:00:00Z');
  return object.status;
};

test('agree() says since when all servers store the same, or do not', () => {
  const before = at(['v1', 'v1']);
  assert.equal(before.commonEncodingVersion, 'v1');
  const old = { ...before, conditions: before.conditions?.map((one) => ({ ...one, lastTransitionTime: '2026-01-01T00:00:00Z' })) ?? [] };
  assert.equal(at(['v1'], old).conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z');
  assert.equal(at(['v2'], old).conditions?.[0]?.lastTransitionTime, '2026-01-02T00:00:00Z');
  const differ = at(['v1', 'v2'], old);
  assert.equal(differ.commonEncodingVersion, undefined);
  assert.deepEqual(differ.conditions, [
    {
      type: 'AllEncodingVersionsEqual',
      status: 'False',
      lastTransitionTime: '2026-01-02T00:00:00Z',
      reason: 'CommonEncodingVersionUnset',
      message: 'Common encoding version unset',
    },
  ]);
});

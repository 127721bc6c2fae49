import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RunningApiServer } from '../../index.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

interface Role {
  metadata: { resourceVersion: string; annotations: Record<string, string>; labels: Record<string, string> };
  rules: { verbs: string[]; resources?: string[] }[];
  subjects: object[];
  roleRef: { name: string };
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const group = (name: string): object => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name });
const storage = createMemoryStorage();
let first: RunningApiServer;
let second: RunningApiServer;
let original: Record<string, Role>;
let restarted: RawClient;

async function patch(client: RawClient, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { status, text } = await client.call('PATCH', `${rbac}/${path}`, { body, headers });
  assert.equal(status, 200, text);
}

/** What administrators do to the defaults of a server, before another one starts on the same store. */
before(async () => {
  first = await startApiServer({ storage });
  await using client = new RawClient(first);
  const paths = ['clusterroles/system:basic-user', 'clusterroles/system:node', 'clusterrolebindings/system:node-proxier'];
  original = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await client.json<Role>('GET', `${rbac}/${path}`)])));
  await patch(client, 'clusterroles/system:basic-user', { rules: [], metadata: { labels: { ours: 'x' } } });
  await patch(client, 'clusterroles/system:heapster', { rules: [], metadata: { annotations: { [autoUpdate]: 'false' } } });
  await patch(client, 'clusterrolebindings/system:node-proxier', { subjects: [group('others')] });
  await patch(client, 'clusterrolebindings/system:discovery', {
    subjects: [group('system:authenticated')],
    metadata: { annotations: { [autoUpdate]: 'false', kept: 'yes' } },
  });
  await client.call('DELETE', `${rbac}/clusterrolebindings/system:public-info-viewer`);
  await client.call('DELETE', `${rbac}/clusterrolebindings/system:basic-user`);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  await client.call('POST', `${rbac}/clusterrolebindings`, { body: { metadata: { name: 'system:basic-user' }, roleRef } });
  second = await startApiServer({ storage });
  restarted = new RawClient(second);
});

after(async () => {
  await restarted[Symbol.asyncDispose]();
  await second.stop();
  await first.stop();
});

const get = (path: string): Promise<Role> => restarted.json<Role>('GET', `${rbac}/${path}`);

test('a default role gets back the permissions that it lacks, and keeps what was added', async () => {
  const role = await get('clusterroles/system:basic-user');
  assert.equal(role.metadata.labels['ours'], 'x');
  assert.equal(role.metadata.labels['kubernetes.io/bootstrapping'], 'rbac-defaults');
  assert.deepEqual(
    new Set(role.rules.map(({ verbs, resources }) => `${verbs} ${resources}`)),
    new Set(['create selfsubjectaccessreviews', 'create selfsubjectrulesreviews', 'create selfsubjectreviews']),
  );
});

test('a role that lacks nothing is not written', async () => {
  const path = 'clusterroles/system:node';
  assert.equal((await get(path)).metadata.resourceVersion, original[path]?.metadata.resourceVersion);
});

test('a role that is not to be updated stays as it is', async () => {
  assert.deepEqual((await get('clusterroles/system:heapster')).rules ?? [], []);
});

test('a default binding gets back its subjects beside those that were added', async () => {
  const { subjects } = await get('clusterrolebindings/system:node-proxier');
  assert.deepEqual(subjects, [group('others'), ...(original['clusterrolebindings/system:node-proxier']?.subjects ?? [])]);
});

test('a binding of another role is made again', async () => {
  assert.equal((await get('clusterrolebindings/system:basic-user')).roleRef.name, 'system:basic-user');
});

test('the binding for public information begins as that for discovery is', async () => {
  const { subjects, metadata } = await get('clusterrolebindings/system:public-info-viewer');
  assert.deepEqual(subjects, [group('system:authenticated')]);
  assert.equal(metadata.annotations[autoUpdate], 'false');
  assert.equal(metadata.annotations['kept'], 'yes');
});

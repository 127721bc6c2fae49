import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../../testing/index.ts';
import { startTestServer } from '../../../testing/index.ts';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { urlMatches } from './policy-rule.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: RawClient;

const as = (user: string, ...groups: string[]): { headers: Record<string, string> } => ({
  headers: { 'impersonate-user': user, ...(groups.length > 0 && { 'impersonate-group': groups.join(', ') }) },
});

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
  const role = { metadata: { name: 'reader' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }] };
  await client.call('POST', `${rbac}/namespaces/default/roles`, { body: role });
  const binding = {
    metadata: { name: 'readers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' },
      { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'readers' },
      { kind: 'ServiceAccount', namespace: 'default', name: 'robot' },
    ],
  };
  assert.equal((await client.call('POST', `${rbac}/namespaces/default/rolebindings`, { body: binding })).status, 201);
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

const questions: readonly (readonly [who: string, groups: readonly string[], method: string, path: string, status: number])[] = [
  ['ann', [], 'GET', configMaps, 200],
  ['ann', [], 'GET', '/api/v1/configmaps', 403],
  ['ann', [], 'GET', '/api/v1/namespaces/kube-system/configmaps', 403],
  ['ann', [], 'DELETE', `${configMaps}/x`, 403],
  ['bob', [], 'GET', configMaps, 403],
  ['bob', ['readers'], 'GET', configMaps, 200],
  ['system:serviceaccount:default:robot', [], 'GET', configMaps, 200],
  ['system:serviceaccount:default:other', [], 'GET', configMaps, 403],
  ['bob', [], 'GET', '/version', 200],
];

for (const [who, groups, method, path, status] of questions) {
  test(`${who}${groups.length > 0 ? ` of ${groups.join()}` : ''} gets ${status} for ${method} ${path}`, async () => {
    assert.equal((await client.call(method, path, as(who, ...groups))).status, status);
  });
}

test('who is refused is told what they may not do', async () => {
  const { text } = await client.call('GET', '/api/v1/secrets', as('ann'));
  assert.match(text, /secrets is forbidden: User \\"ann\\" cannot list resource \\"secrets\\" in API group \\"\\" at the cluster scope/);
});

test('a binding that goes takes its rights along', async () => {
  const path = `${rbac}/namespaces/default/rolebindings/readers`;
  const binding = (await client.call('GET', path)).text;
  await client.call('DELETE', path);
  assert.equal((await client.call('GET', configMaps, as('ann'))).status, 403);
  const { metadata: _, ...rest } = JSON.parse(binding) as { metadata: unknown };
  await client.call('POST', `${rbac}/namespaces/default/rolebindings`, { body: { ...rest, metadata: { name: 'readers' } } });
  assert.equal((await client.call('GET', configMaps, as('ann'))).status, 200);
});

test('nobody without a right to it can be someone else', async () => {
  const { status } = await client.call('GET', configMaps, { as: 'nobody', headers: { 'impersonate-user': 'ann' } });
  assert.equal(status, 403);
});

test('a large role that is bound again and again is listed as often only while the list is short', async () => {
  const rules = Array.from({ length: 5000 }, (_, index) => ({
    apiGroups: ['large.example.com'],
    resources: [`r${index}`],
    verbs: ['get'],
  }));
  await client.call('POST', `${rbac}/namespaces/default/roles`, { body: { metadata: { name: 'large' }, rules } });
  for (let index = 0; index < 8; index++) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'large' };
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }];
    await client.call('POST', `${rbac}/namespaces/default/rolebindings`, { body: { metadata: { name: `b${index}` }, roleRef, subjects } });
  }
  const body = { spec: { namespace: 'default' } };
  const review = await client.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { body, ...as('bob') });
  const { status } = JSON.parse(review.text) as { status: { resourceRules: { apiGroups?: string[] }[] } };
  const listed = status.resourceRules.filter(({ apiGroups = [] }) => apiGroups[0] === 'large.example.com');
  assert.equal(listed.length, 20_000);
  assert.equal((await client.call('GET', configMaps, as('bob'))).status, 403);
});

test('stars at the end of a path match whatever follows', () => {
  assert.ok(urlMatches('/healthz/*', '/healthz/etcd'));
  assert.ok(urlMatches('/healthz**', '/healthz/etcd'));
  assert.ok(urlMatches('**', '/any'));
  assert.ok(!urlMatches('/healthz/*', '/healthz'));
  assert.ok(!urlMatches('/health*z', '/healthz'));
  assert.ok(!urlMatches('', '/healthz'));
});

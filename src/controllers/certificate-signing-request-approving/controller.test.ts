import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { makeCertificateRequest } from '../../../test/support/make-certificate-request.ts';

type SigningRequest = Kind<'certificates.k8s.io/v1', 'CertificateSigningRequest'>;

describe('certificatesigningrequest-approving-controller', { timeout: 60_000 }, () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ authorization: 'Node,RBAC', controllers: ['certificatesigningrequest-approving-controller'] });
  });

  after(() => server.stop());

  const requestsOf = (user?: { name: string; groups: string[] }) =>
    server.client(user).resource('certificates.k8s.io/v1', 'CertificateSigningRequest');

  async function ask(name: string, node: string, user?: { name: string; groups: string[] }, organization = 'system:nodes'): Promise<void> {
    const { request } = makeCertificateRequest({ commonName: `system:node:${node}`, organizations: [organization] });
    const usages = ['digital signature', 'client auth'];
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages };
    await requestsOf(user).create({ metadata: { name }, spec } as SigningRequest);
  }

  const nodeUser = (name: string): { name: string; groups: string[] } => ({ name: `system:node:${name}`, groups: ['system:nodes'] });

  test('approves kubelets of users who may have them', async () => {
    await ask('any', 'a');
    const approved = await requestsOf().waitFor('any', (one) => one?.status?.conditions !== undefined);
    const { type, reason, message } = approved?.status?.conditions?.[0] ?? {};
    assert.deepEqual([type, reason], ['Approved', 'AutoApproved']);
    assert.equal(message, 'Auto approving kubelet client certificate after SubjectAccessReview.');
  });

  test('approves a node of its own only where it may, and as soon as it may', async () => {
    await ask('own', 'n', nodeUser('n'));
    await ask('marker', 'm');
    // It was dealt with before this one.
    await requestsOf().waitFor('marker', (one) => one?.status?.conditions !== undefined);
    assert.equal((await requestsOf().get('own')).status?.conditions, undefined);
    await server.client().create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'own' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:node:n' }],
    });
    const own = await requestsOf().waitFor('own', (one) => one?.status?.conditions !== undefined);
    assert.equal(own?.status?.conditions?.[0]?.message, 'Auto approving self kubelet client certificate after SubjectAccessReview.');
  });

  test('leaves what is no kubelet to people', async () => {
    await ask('other', 'a', undefined, 'others');
    await ask('after', 'b');
    await requestsOf().waitFor('after', (one) => one?.status?.conditions !== undefined);
    assert.equal((await requestsOf().get('other')).status?.conditions, undefined);
  });
});

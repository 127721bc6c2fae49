import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { certificateRequestOf } from '../../../test/support/certificate-requests.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const kubelet = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };

interface Written {
  readonly status: number;
  readonly message: string;
}

interface Stored {
  readonly metadata: { readonly uid: string };
}

let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ authorization: 'Node,RBAC', controllers: false });
  client = new RawClient(server);
  await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'a' } } });
  for (const name of ['n1', 'n2']) await client.call('POST', '/api/v1/nodes', { body: { metadata: { name } } });
  for (const name of ['default', 'other'])
    await client.call('POST', '/api/v1/namespaces/a/serviceaccounts', { body: { metadata: { name } } });
  for (const [name, node] of [
    ['here', 'n1'],
    ['there', 'n2'],
  ] as const) {
    const sources = [{ podCertificate: { signerName: 'example.com/signer', keyType: 'ED25519', keyPath: 'k' } }];
    const volumes = [
      { name: 'certificate', projected: { sources } },
      { name: 'data', persistentVolumeClaim: { claimName: `claim-${name}` } },
    ];
    const spec = { nodeName: node, containers: [{ name: 'c', image: 'i' }], volumes };
    await client.call('POST', '/api/v1/namespaces/a/pods', { body: { metadata: { name }, spec } });
  }
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

async function write(method: string, path: string, body: object): Promise<Written> {
  const { status, text } = await client.call(method, path, { body, headers: kubelet });
  return { status, message: (JSON.parse(text) as { message?: string }).message ?? '' };
}

async function read(path: string): Promise<number> {
  return (await client.call('GET', path, { headers: kubelet })).status;
}

async function uidOf(path: string): Promise<string> {
  return (await client.json<Stored>('GET', path)).metadata.uid;
}

async function podCertificateRequest(changes: Record<string, unknown> = {}): Promise<Written> {
  const pod = (changes['podName'] as string | undefined) ?? 'here';
  const spec = {
    signerName: 'example.com/signer',
    podName: pod,
    podUID: await uidOf(`/api/v1/namespaces/a/pods/${pod}`),
    serviceAccountName: 'default',
    serviceAccountUID: await uidOf('/api/v1/namespaces/a/serviceaccounts/default'),
    nodeName: 'n1',
    nodeUID: await uidOf('/api/v1/nodes/n1'),
    stubPKCS10Request: Buffer.from(
      Buffer.from(certificateRequestOf.n1, 'base64')
        .toString()
        .replaceAll(/-----.*-----|\n/g, ''),
      'base64',
    ).toString('base64'),
    ...changes,
  };
  return write('POST', '/apis/certificates.k8s.io/v1/namespaces/a/podcertificaterequests?dryRun=All', {
    metadata: { generateName: 'r-' },
    spec,
  });
}

const signingRequest = (of: keyof typeof certificateRequestOf, signerName: string): Promise<Written> =>
  write('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All', {
    metadata: { generateName: 'r-' },
    spec: { request: certificateRequestOf[of], signerName, usages: ['digital signature', 'client auth'] },
  });

test('a node asks for certificates of its own name', async () => {
  for (const signer of ['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving']) {
    const { status, message } = await signingRequest('n2', signer);
    assert.equal(status, 403);
    assert.match(message, /can only create a node CSR with CN=system:node:n1$/);
  }
  assert.equal((await signingRequest('n1', 'kubernetes.io/kube-apiserver-client-kubelet')).status, 201);
});

test('a node asks for the identity of a pod that runs on it', async () => {
  const { status, message } = await podCertificateRequest();
  assert.equal(status, 201, message);
});

test('a node does not ask for the identity of pods elsewhere', async () => {
  const elsewhere = await podCertificateRequest({ podName: 'there' });
  assert.equal(elsewhere.status, 403);
  assert.match(elsewhere.message, /pod "a\/there" is not running on node "n1" named in the PodCertificateRequest$/);
  const inTheirName = await podCertificateRequest({ podName: 'there', nodeName: 'n2', nodeUID: await uidOf('/api/v1/nodes/n2') });
  assert.equal(inTheirName.status, 403);
  assert.match(inTheirName.message, /PodCertificateRequest\.Spec\.NodeName="n2", which is not the requesting node "n1"$/);
});

test('a node asks for nothing that the pod would not get', async () => {
  const account = await podCertificateRequest({
    serviceAccountName: 'other',
    serviceAccountUID: await uidOf('/api/v1/namespaces/a/serviceaccounts/other'),
  });
  assert.equal(account.status, 403);
  assert.match(account.message, /contains serviceAccountName \("other"\) that differs from running pod \("default"\)$/);
  const signer = await podCertificateRequest({ signerName: 'example.com/another' });
  assert.equal(signer.status, 403);
  assert.match(signer.message, /pod "a\/here" does not mount a podCertificate projected volume for signer "example.com\/another"$/);
  assert.equal((await podCertificateRequest({ podUID: 'x' })).status, 500);
});

test('a node writes leases and CSINodes of its own name, whoever else allows others', async () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: ['*'], resources: ['leases', 'csinodes'], verbs: ['*'] }];
  await client.call('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'too-much' }, rules } });
  const group = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'too-much' };
  await client.call('POST', `${rbac}/clusterrolebindings`, { body: { metadata: { name: 'too-much' }, subjects: [group], roleRef } });
  await client.call('POST', '/apis/storage.k8s.io/v1/csinodes', { body: { metadata: { name: 'n2' }, spec: { drivers: [] } } });
  await client.call('POST', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
    body: { metadata: { name: 'n2' }, spec: {} },
  });
  const paths = ['/apis/storage.k8s.io/v1/csinodes/n2', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2'];
  for (const path of paths) {
    const { status, message } = await write('DELETE', path, {});
    assert.equal(status, 403);
    assert.match(message, /with the same name as the requesting node$/);
  }
});

test('a token for an audience that nothing asks for is refused with what is missing', async () => {
  const spec = {
    audiences: ['x'],
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'here', uid: await uidOf('/api/v1/namespaces/a/pods/here') },
  };
  const { status, message } = await write('POST', '/api/v1/namespaces/a/serviceaccounts/default/token', { spec });
  assert.equal(status, 403);
  assert.match(message, /error validating audience "x": persistentvolumeclaim "claim-here" not found$/);
});

async function create(path: string, body: object): Promise<void> {
  const { status, text } = await client.call('POST', path, { body });
  assert.equal(status, 201, text);
}

async function volume(name: string, claim: string | undefined, source: object): Promise<void> {
  const spec = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    ...(claim !== undefined && { claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'a', name: claim } }),
    ...source,
  };
  await create('/api/v1/persistentvolumes', { metadata: { name }, spec });
}

/** A claim of the namespace that names a volume, and a pod of the node that has the claim. */
async function claimUsed(name: string, volumeName: string): Promise<void> {
  const spec = { volumeName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await create('/api/v1/namespaces/a/persistentvolumeclaims', { metadata: { name }, spec });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
  const pod = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], volumes };
  await create('/api/v1/namespaces/a/pods', { metadata: { name: `with-${name}` }, spec: pod });
  // The node has the claim: what it does not get is not for want of that.
  assert.equal(await read(`/api/v1/namespaces/a/persistentvolumeclaims/${name}`), 200);
}

test('a volume belongs to the claim that it names, not to claims that name it', async () => {
  const csi = (secret: string): object => ({
    csi: { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: { namespace: 'a', name: secret } },
  });
  await volume('of-there', 'claim-there', csi('secret-there'));
  await claimUsed('wants-there', 'of-there');
  assert.equal(await read('/api/v1/persistentvolumes/of-there'), 403);
  assert.equal(await read('/api/v1/namespaces/a/secrets/secret-there'), 403);
  await volume('of-nobody', undefined, csi('secret-nobody'));
  await claimUsed('wants-nobody', 'of-nobody');
  assert.equal(await read('/api/v1/persistentvolumes/of-nobody'), 403);
  assert.equal(await read('/api/v1/namespaces/a/secrets/secret-nobody'), 403);

  await volume('of-here', 'claim-here', csi('secret-here'));
  assert.equal(await read('/api/v1/namespaces/a/secrets/secret-here'), 404);
  assert.equal(await read('/api/v1/persistentvolumes/of-here'), 200);

  await volume('azure-of-here', 'claim-here', { azureFile: { secretName: 'azure', secretNamespace: 'default', shareName: 's' } });
  assert.equal(await read('/api/v1/namespaces/default/secrets/azure'), 404);
  assert.equal(await read('/api/v1/namespaces/a/secrets/azure'), 403);
});

test('a claim is only in its namespace', async () => {
  assert.equal(await read('/api/v1/persistentvolumeclaims/claim-here'), 403);
});

test('a claim that was made for a pod is read while the pod has it', async () => {
  const spec = {
    nodeName: 'n1',
    containers: [{ name: 'c', image: 'i' }],
    resourceClaims: [{ name: 'device', resourceClaimTemplateName: 't' }],
  };
  await client.call('POST', '/api/v1/namespaces/a/pods', { body: { metadata: { name: 'claiming' }, spec } });
  const path = '/apis/resource.k8s.io/v1/namespaces/a/resourceclaims/made';
  const set = (resourceClaimStatuses: object[]): Promise<unknown> =>
    client.call('PATCH', '/api/v1/namespaces/a/pods/claiming/status', {
      body: { status: { resourceClaimStatuses } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
  assert.equal(await read(path), 403);
  await set([{ name: 'device', resourceClaimName: 'made' }]);
  assert.equal(await read(path), 404);
  await set([]);
  assert.equal(await read(path), 403);
});

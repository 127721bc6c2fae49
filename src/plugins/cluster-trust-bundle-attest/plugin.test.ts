import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createAuthority } from '../../base/tls/certificate.ts';
import { admissionServer } from '../../../test/support/admission-server.ts';

const path = '/apis/certificates.k8s.io/v1/clustertrustbundles';
const { certificate: trustBundle } = createAuthority({ commonName: 'a' }, { from: new Date(0), to: new Date(86_400_000) });
const bundle = (name: string, signerName?: string, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { trustBundle, ...(signerName && { signerName }) },
});
const refused = (name: string): string =>
  `clustertrustbundles.certificates.k8s.io "${name}" is forbidden: user not permitted to attest for signerName "b.example.com/s"`;
const theirs = 'b.example.com:s:x';

describe('ClusterTrustBundleAttest', () => {
  const server = admissionServer({ plugins: ['ClusterTrustBundleAttest'], authorization: 'RBAC' });
  const speaker = { as: 'speaker' };

  before(async () => {
    await server.allow('speaker', [
      { apiGroups: ['certificates.k8s.io'], resources: ['clustertrustbundles'], verbs: ['*'] },
      { apiGroups: ['certificates.k8s.io'], resources: ['signers'], verbs: ['attest'], resourceNames: ['a.example.com/*'] },
    ]);
    await server.given(path, bundle(theirs, 'b.example.com/s', { finalizers: ['example.com/f'], ownerReferences: [] }));
  });

  const cases: readonly (readonly [what: string, bundle: object, problem: string | undefined])[] = [
    ['of no signer', bundle('x'), undefined],
    ['of a signer that one speaks for', bundle('a.example.com:s:x', 'a.example.com/s'), undefined],
    ['of another signer', bundle('b.example.com:s:y', 'b.example.com/s'), refused('b.example.com:s:y')],
  ];
  for (const [what, object, problem] of cases) {
    test(`a bundle ${what} is ${problem === undefined ? 'published' : 'refused'}`, async () => {
      assert.equal((await server.tryCreate(path, object, speaker)).message, problem);
    });
  }

  test('a bundle of another signer does not change', async () => {
    const { status, message } = await server.patch(`${path}/${theirs}`, { metadata: { labels: { a: 'b' } } }, speaker);
    assert.deepEqual([status, message], [403, refused(theirs)]);
  });

  test('the garbage collector may always let go', async () => {
    const { message } = await server.patch(`${path}/${theirs}`, { metadata: { finalizers: null } }, speaker);
    assert.equal(message, undefined);
  });

  test('an administrator speaks for every signer', async () => {
    assert.equal((await server.tryCreate(path, bundle('b.example.com:s:y', 'b.example.com/s'))).status, 201);
  });
});

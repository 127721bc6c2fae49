import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createAuthority } from '../../base/tls/certificate.ts';
import { certificateRequestOf } from '../../../test/support/certificate-requests.ts';
import { admissionServer } from '../../../test/support/admission-server.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signers: Readonly<Record<string, string>> = { ours: 'a.example.com/s', theirs: 'b.example.com/s' };
const { certificate } = createAuthority({ commonName: 'a' }, { from: new Date(0), to: new Date(86_400_000) });
const issued = { certificate: Buffer.from(certificate).toString('base64') };
const failed = { conditions: [{ type: 'Failed', status: 'True', reason: 'R', message: 'm' }] };

const cases: readonly (readonly [what: string, request: string, status: object, admitted: boolean])[] = [
  ['a certificate', 'ours', issued, true],
  ['a certificate', 'theirs', issued, false],
  ['that there will be none', 'ours', failed, true],
  ['that there will be none', 'theirs', failed, false],
  ['nothing new', 'theirs', {}, true],
];

describe('CertificateSigning', () => {
  const server = admissionServer({ plugins: ['CertificateSigning'], authorization: 'RBAC' });

  before(async () => {
    for (const [name, signerName] of Object.entries(signers)) {
      const spec = { request: certificateRequestOf.n1, signerName, usages: ['client auth'] };
      await server.given(path, { metadata: { name }, spec });
    }
    await server.allow('signer', [
      { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests/status'], verbs: ['patch'] },
      { apiGroups: ['certificates.k8s.io'], resources: ['signers'], verbs: ['sign'], resourceNames: ['a.example.com/*'] },
    ]);
  });

  for (const [what, request, change, admitted] of cases) {
    test(`a signer of a.example.com writes ${what} for ${signers[request]}: ${admitted ? 'admitted' : 'refused'}`, async () => {
      const { status, message } = await server.patch(`${path}/${request}/status?dryRun=All`, { status: change }, { as: 'signer' });
      const refusal = `certificatesigningrequests.certificates.k8s.io "${request}" is forbidden: user not permitted to sign requests with signerName "${signers[request]}"`;
      assert.deepEqual([status, message], admitted ? [200, undefined] : [403, refusal]);
    });
  }
});

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { certificateRequestOf } from '../../../test/support/certificate-requests.ts';
import { admissionServer } from '../../../test/support/admission-server.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signers: Readonly<Record<string, string>> = {
  one: 'a.example.com/one',
  two: 'a.example.com/two',
  other: 'b.example.com/other',
};
const approved = { type: 'Approved', status: 'True', reason: 'R', message: 'm' };

const cases: readonly (readonly [user: string | undefined, request: string, admitted: boolean])[] = [
  [undefined, 'two', true],
  ['of-one', 'one', true],
  ['of-one', 'two', false],
  ['of-the-domain', 'one', true],
  ['of-the-domain', 'two', true],
  ['of-the-domain', 'other', false],
];

describe('CertificateApproval', () => {
  const server = admissionServer({ plugins: ['CertificateApproval'], authorization: 'RBAC' });
  const approve = (request: string, user: string | undefined, change: object = {}): ReturnType<typeof server.update> => {
    const spec = { request: certificateRequestOf.n1, signerName: signers[request], usages: ['client auth'], ...change };
    const object = { metadata: { name: request }, spec, status: { conditions: [approved] } };
    return server.update(`${path}/${request}/approval?dryRun=All`, object, user === undefined ? {} : { as: user });
  };

  before(async () => {
    for (const [name, signerName] of Object.entries(signers)) {
      const spec = { request: certificateRequestOf.n1, signerName, usages: ['client auth'] };
      await server.given(path, { metadata: { name }, spec });
    }
    const approvals = { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests/approval'], verbs: ['update'] };
    for (const [user, resourceName] of [
      ['of-one', signers['one']],
      ['of-the-domain', 'a.example.com/*'],
    ] as const) {
      const signer = { apiGroups: ['certificates.k8s.io'], resources: ['signers'], verbs: ['approve'], resourceNames: [resourceName] };
      await server.allow(user, [approvals, signer]);
    }
  });

  for (const [user, request, admitted] of cases) {
    test(`approval for ${signers[request]} by ${user ?? 'the admin'} is ${admitted ? 'admitted' : 'refused'}`, async () => {
      const { status, message } = await approve(request, user);
      const refusal = `certificatesigningrequests.certificates.k8s.io "${request}" is forbidden: user not permitted to approve requests with signerName "${signers[request]}"`;
      assert.deepEqual([status, message], admitted ? [200, undefined] : [403, refusal]);
    });
  }

  test('the signer of the stored request counts, not the one that the approval names', async () => {
    const { message } = await approve('other', 'of-one', { signerName: signers['one'] });
    assert.match(message ?? '', /signerName "b\.example\.com\/other"$/);
  });

  test('a status is not an approval', async () => {
    const { status } = await server.patch(`${path}/two/status?dryRun=All`, { status: {} });
    assert.equal(status, 200);
  });
});

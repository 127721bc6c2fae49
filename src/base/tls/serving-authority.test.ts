import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority, issueCertificate } from './certificate.ts';
import { servingAuthority } from './serving-authority.ts';

const validity = { from: new Date(Date.now() - 1000), to: new Date(Date.now() + 3_600_000) };
const authority = createAuthority({ commonName: 'ours' }, validity);
const other = createAuthority({ commonName: 'other' }, validity);
const serving = issueCertificate(authority, { subject: { commonName: 'kube-apiserver' }, uses: ['server'], validity });

const cases: readonly { readonly when: string; readonly ca?: string[]; readonly cert: string; readonly found: string | undefined }[] = [
  {
    when: 'it is among the client authorities',
    ca: [other.certificate + authority.certificate],
    cert: serving.certificate,
    found: authority.certificate,
  },
  { when: 'it is in the chain', cert: serving.certificate + authority.certificate, found: authority.certificate },
  { when: 'the certificate is its own authority', cert: authority.certificate, found: authority.certificate },
  { when: 'nobody has it', ca: [other.certificate], cert: serving.certificate, found: undefined },
];

for (const { when, ca, cert, found } of cases) {
  test(`the authority is ${found === undefined ? 'not found' : 'found'} when ${when}`, () => {
    assert.equal(servingAuthority({ cert, ...(ca !== undefined && { ca }) }), found);
  });
}

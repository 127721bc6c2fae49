import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

/** requests of CN=x, O=a and O=system:masters, and of CN=system:masters, O=a */
const ofMasters =
  'MIHtMIGTAgEAMDExCjAIBgNVBAoMAWExFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQowCAYDVQQDDAF4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELm4O9c0jOWeu42knZBJ7J1icexeWdfLnJ+fMhqBiUYyAAkeN5VZvWsFTxOCD/BaQz2Ct4Qo1N9hdLS/JUquPA6AAMAoGCCqGSM49BAMCA0kAMEYCIQD7OJk4dY1TFUcDK4QXvbPpDW0u5NYOXcnDayrQVvbUoQIhAO1xnUpL4q2YS88gAYRD//tUevcdI+7vJQ7Kxnby/Lav';
const ofOthers =
  'MIHfMIGHAgEAMCUxCjAIBgNVBAoMAWExFzAVBgNVBAMMDnN5c3RlbTptYXN0ZXJzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXzZm2gj4ITFXcCiVxCgRhpRhmh4eamCqh6xWpFCHwzYTwSarj3QtMK/jtyP0Jo3Wa2OJ1pBWmdLg+p0YxAKnyaAAMAoGCCqGSM49BAMCA0cAMEQCID27jPiLjjtDtz2N/XcE3bktXXv0k9tW93JjxIGDkjvMAiB+E1EonVYvt+PrUOp+Wcfac8ezwS4964UOXIoGyb1UYQ==';
/** O=system:masters as BMPString, two bytes a character */
const ofMastersInWideCharacters =
  'MIHwMIGWAgEAMDQxJTAjBgNVBAoeHABzAHkAcwB0AGUAbQA6AG0AYQBzAHQAZQByAHMxCzAJBgNVBAMeAgB4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmgXQlJ+ePDAEApvPoBtbyLFhQtOOn5+F8Ny2KCZ8xahvyNdycK42crn6axJw4HsYbgRm1WEC7WclPACPRCBmrKAAMAoGCCqGSM49BAMCA0kAMEYCIQCttLOIAgH/P/0Df89G7eF079LbbiZYqvwsoH2fNJ1DqQIhAIzlXOakGmASSmCpE1C49SM/sUNhx1Hv2+w7e9N2sggF';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const client = 'kubernetes.io/kube-apiserver-client';
const refusal =
  'certificatesigningrequests.certificates.k8s.io "r" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed';
const cases: readonly (readonly [what: string, request: string, signer: string, admitted: boolean])[] = [
  ['of the group system:masters', ofMasters, client, false],
  ['of that group in wide characters', ofMastersInWideCharacters, client, false],
  ['of a user of that name', ofOthers, client, true],
  ['of the group, to a signer that is not trusted with it', ofMasters, 'example.com/other', true],
];

describe('CertificateSubjectRestriction', () => {
  const server = admissionServer({ plugins: ['CertificateSubjectRestriction'] });

  for (const [what, body, signerName, admitted] of cases) {
    test(`a request for a certificate ${what} is ${admitted ? 'admitted' : 'refused'}`, async () => {
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----\n`;
      const spec = { signerName, request: Buffer.from(pem).toString('base64'), usages: ['client auth'] };
      const { status, message } = await server.tryCreate(path, { metadata: { name: 'r' }, spec });
      assert.deepEqual([status, message], admitted ? [201, undefined] : [403, refusal]);
    });
  }
});

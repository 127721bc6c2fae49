import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { certificateSubjectRestriction } from './plugin.ts';

/** requests of CN=x, O=a and O=system:masters, and of CN=system:masters, O=a */
const ofMasters =
  'MIHtMIGTAgEAMDExCjAIBgNVBAoMAWExFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQowCAYDVQQDDAF4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELm4O9c0jOWeu42knZBJ7J1icexeWdfLnJ+fMhqBiUYyAAkeN5VZvWsFTxOCD/BaQz2Ct4Qo1N9hdLS/JUquPA6AAMAoGCCqGSM49BAMCA0kAMEYCIQD7OJk4dY1TFUcDK4QXvbPpDW0u5NYOXcnDayrQVvbUoQIhAO1xnUpL4q2YS88gAYRD//tUevcdI+7vJQ7Kxnby/Lav';
const ofOthers =
  'MIHfMIGHAgEAMCUxCjAIBgNVBAoMAWExFzAVBgNVBAMMDnN5c3RlbTptYXN0ZXJzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXzZm2gj4ITFXcCiVxCgRhpRhmh4eamCqh6xWpFCHwzYTwSarj3QtMK/jtyP0Jo3Wa2OJ1pBWmdLg+p0YxAKnyaAAMAoGCCqGSM49BAMCA0cAMEQCID27jPiLjjtDtz2N/XcE3bktXXv0k9tW93JjxIGDkjvMAiB+E1EonVYvt+PrUOp+Wcfac8ezwS4964UOXIoGyb1UYQ==';
/** O=system:masters as BMPString, two bytes a character */
const ofMastersInWideCharacters =
  'MIHwMIGWAgEAMDQxJTAjBgNVBAoeHABzAHkAcwB0AGUAbQA6AG0AYQBzAHQAZQByAHMxCzAJBgNVBAMeAgB4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmgXQlJ+ePDAEApvPoBtbyLFhQtOOn5+F8Ny2KCZ8xahvyNdycK42crn6axJw4HsYbgRm1WEC7WclPACPRCBmrKAAMAoGCCqGSM49BAMCA0kAMEYCIQCttLOIAgH/P/0Df89G7eF079LbbiZYqvwsoH2fNJ1DqQIhAIzlXOakGmASSmCpE1C49SM/sUNhx1Hv2+w7e9N2sggF';

const about = 'certificates.k8s.io/certificatesigningrequests';
const request = (body: string, signerName: string): object => {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----\n`;
  return { metadata: { name: 'r' }, spec: { signerName, request: Buffer.from(pem).toString('base64') } };
};

test('nobody gets a client certificate of system:masters', async () => {
  const plugin = new PluginHarness(certificateSubjectRestriction);
  const client = 'kubernetes.io/kube-apiserver-client';
  assert.equal(
    await plugin.ask({ about, object: request(ofMasters, client) }),
    'certificatesigningrequests.certificates.k8s.io "r" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  );
  assert.match((await plugin.ask({ about, object: request(ofMastersInWideCharacters, client) })) ?? '', /is not allowed$/);
  assert.equal(await plugin.ask({ about, object: request(ofOthers, client) }), undefined);
  assert.equal(await plugin.ask({ about, object: request(ofMasters, 'example.com/other') }), undefined);
});

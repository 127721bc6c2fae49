import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import type { WantedCertificate } from '../../../test/support/make-certificate-request.ts';
import { makeCertificateRequest } from '../../../test/support/make-certificate-request.ts';

type SigningRequest = Kind<'certificates.k8s.io/v1', 'CertificateSigningRequest'>;

describe('certificatesigningrequest-signing-controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer();
    client = server.client();
  });

  after(() => server.stop());

  const requests = () => client.resource('certificates.k8s.io/v1', 'CertificateSigningRequest');

  async function ask(name: string, wanted: WantedCertificate, spec: object = {}): Promise<string> {
    const { request: asked, key } = makeCertificateRequest(wanted);
    const usages = ['digital signature', 'key encipherment', 'client auth'];
    const made = await requests().create({
      metadata: { name },
      spec: { request: asked, signerName: 'kubernetes.io/kube-apiserver-client', usages, ...spec },
    } as SigningRequest);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '', lastUpdateTime: null, lastTransitionTime: null }];
    await requests().update({ ...made, status: { conditions } } as SigningRequest, { subresource: 'approval' });
    return key;
  }

  const settled = (name: string): Promise<SigningRequest | undefined> =>
    requests().waitFor(name, (one) => one?.status?.certificate !== undefined || one?.status?.conditions?.at(-1)?.type === 'Failed');
  const certificateOf = (one: SigningRequest | undefined): X509Certificate =>
    new X509Certificate(Buffer.from(one?.status?.certificate ?? '', 'base64'));

  function whoAmI(cert: string, key: string): Promise<string> {
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const target = `${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
    return new Promise((resolve, reject) => {
      const asked = request(target, { method: 'POST', ca: server.authority.certificate, cert, key, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text));
      });
      asked.on('error', reject).end(body);
    });
  }

  test('signs client certificates that the server takes', async () => {
    const key = await ask('jane', { commonName: 'jane', organizations: ['devs', 'admins'] });
    const certificate = certificateOf(await settled('jane'));
    assert.equal(certificate.checkIssued(new X509Certificate(server.authority.certificate)), true);
    assert.equal(certificate.ca, false);
    const { status } = JSON.parse(await whoAmI(certificate.toString(), key)) as { status: { userInfo: object } };
    const { username, groups } = status.userInfo as { username: string; groups: string[] };
    assert.equal(username, 'jane');
    assert.deepEqual(groups.toSorted(), ['admins', 'devs', 'system:authenticated']);
  });

  for (const [seconds, minutes] of [
    [60 * 60, 65],
    [600, 15],
    [24 * 60 * 60, 24 * 60],
  ] as const) {
    test(`a certificate for ${seconds} seconds is valid for ${minutes} minutes, those before it was asked for included`, async () => {
      await ask(`for-${seconds}`, { commonName: 'jane' }, { expirationSeconds: seconds });
      const { validFromDate, validToDate } = certificateOf(await settled(`for-${seconds}`));
      assert.equal((validToDate.getTime() - validFromDate.getTime()) / 60_000, minutes);
    });
  }

  test('no certificate is valid longer than the longest time', async () => {
    await using brief = await startTestServer({ certificateSigning: { durationMs: 3600_000 } });
    const asking = brief.client().resource('certificates.k8s.io/v1', 'CertificateSigningRequest');
    for (const [name, expirationSeconds] of [
      ['unsaid', undefined],
      ['longer', 7200],
    ] as const) {
      const conditions = [
        { type: 'Approved', status: 'True', reason: 'Test', message: '', lastUpdateTime: null, lastTransitionTime: null },
      ];
      const made = await asking.create({
        metadata: { name },
        spec: {
          request: makeCertificateRequest({ commonName: 'jane' }).request,
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
          ...(expirationSeconds !== undefined && { expirationSeconds }),
        },
      } as SigningRequest);
      await asking.update({ ...made, status: { conditions } } as SigningRequest, { subresource: 'approval' });
      const { validFromDate, validToDate } = certificateOf(await asking.waitFor(name, (one) => one?.status?.certificate !== undefined));
      // Both begin five minutes ago.
      assert.equal((validToDate.getTime() - validFromDate.getTime()) / 60_000, 65);
    }
  });

  test('no certificate is valid longer than its authority', async () => {
    await ask('long', { commonName: 'jane' }, { expirationSeconds: 2_000_000_000 });
    const authority = new X509Certificate(server.authority.certificate);
    assert.ok(certificateOf(await settled('long')).validToDate <= authority.validToDate);
  });

  test('copies names of the four kinds, and nothing else that is asked for', async () => {
    const wanted = {
      commonName: 'jane',
      uris: ['spiffe://example.com/jane'],
      addresses: ['192.0.2.1', '2001:db8::1'],
      dns: ['jane.example.com'],
      emails: ['jane@example.com'],
    };
    await ask('names', wanted);
    const { subjectAltName } = certificateOf(await settled('names'));
    assert.equal(
      subjectAltName,
      'DNS:jane.example.com, email:jane@example.com, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1, URI:spiffe://example.com/jane',
    );
  });

  const refused: readonly (readonly [name: string, wanted: WantedCertificate, spec: object, message: string])[] = [
    ['serves', { commonName: 'jane' }, { usages: ['client auth', 'server auth'] }, 'invalid usage for client certificate: server auth'],
    ['signs', { commonName: 'jane' }, { usages: ['digital signature'] }, 'missing required usage for client certificate: client auth'],
    [
      'nameless-kubelet',
      { commonName: 'system:node:a', organizations: ['system:nodes'] },
      { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] },
      'DNS or IP subjectAltName is required',
    ],
    [
      'other-kubelet',
      { commonName: 'a', organizations: ['system:nodes'], dns: ['a'] },
      { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] },
      'subject common name does not begin with system:node:',
    ],
    [
      'kubelet-of-masters',
      { commonName: 'system:node:a', organizations: ['system:masters'], dns: ['a'] },
      { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] },
      'subject organization is not system:nodes',
    ],
  ];
  for (const [name, wanted, spec, message] of refused) {
    test(`does not sign: ${message}`, async () => {
      await ask(name, wanted, spec);
      const one = await settled(name);
      assert.equal(one?.status?.certificate, undefined);
      const failed = one?.status?.conditions?.find(({ type }) => type === 'Failed');
      assert.deepEqual([failed?.reason, failed?.message], ['SignerValidationFailure', message]);
    });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import type { Kind } from '../../index.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { makeCertificateRequest } from '../../../test/support/make-certificate-request.ts';

type SigningRequest = Kind<'certificates.k8s.io/v1', 'CertificateSigningRequest'>;
const hourMs = 3_600_000;

test('requests go an hour after they were denied, a day after they were asked or approved', { timeout: 60_000 }, async () => {
  const clock = new ManualClock(Date.now());
  await using server = await startTestServer({ clock, controllers: ['certificatesigningrequest-cleaner-controller'] });
  const requests = server.client().resource('certificates.k8s.io/v1', 'CertificateSigningRequest');
  for (const [name, type] of [['denied', 'Denied'], ['approved', 'Approved'], ['undecided']] as const) {
    const { request } = makeCertificateRequest({ commonName: name });
    const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] };
    const made = await requests.create({ metadata: { name }, spec } as SigningRequest);
    if (type === undefined) continue;
    const conditions = [{ type, status: 'True', reason: 'Test', message: '' }];
    await requests.update({ ...made, status: { conditions } } as SigningRequest, { subresource: 'approval' });
  }
  const names = async (): Promise<string> => {
    const { items } = await requests.list();
    return (items ?? []).map(({ metadata }) => metadata.name).join();
  };
  /** Until the controller, which looks every hour, has nothing more to do. */
  const become = (wanted: string, ms: number): Promise<true> => {
    clock.advance(ms);
    return eventually(`only ${wanted || 'nothing'} is left`, async () => ((await names()) === wanted ? true : undefined));
  };
  assert.equal(await names(), 'approved,denied,undecided');
  await become('approved,undecided', 2 * hourMs);
  await become('', 23 * hourMs);
});

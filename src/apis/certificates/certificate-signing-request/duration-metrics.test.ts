import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { startTestServer } from '../../../testing/index.ts';
import { durationCounter, durationFamilies } from './duration-metrics.ts';
import type { SigningRequestObject } from './validation.ts';

test('requests for a duration are counted when they get their certificate, by whether it is as long', async () => {
  const registry = new MetricsRegistry();
  const { requested, honored } = durationFamilies(registry);
  const count = durationCounter(registry);
  await using server = await startTestServer({ controllers: false });
  const { X509Certificate } = await import('node:crypto');
  const pem = server.admin.certificate;
  const { validFromDate, validToDate } = new X509Certificate(pem);
  const seconds = (validToDate.getTime() - validFromDate.getTime()) / 1000;
  const certificate = Buffer.from(pem).toString('base64');
  const of = (signerName: string, expirationSeconds?: number): SigningRequestObject =>
    ({
      metadata: {},
      spec: { signerName, ...(expirationSeconds !== undefined && { expirationSeconds }) },
      status: {},
    }) as SigningRequestObject;
  const issue = (old: SigningRequestObject): void => count({ ...old, status: { certificate } }, old);
  issue(of('kubernetes.io/kubelet-serving', seconds));
  issue(of('kubernetes.io/kubelet-serving', seconds / 2));
  issue(of('example.com/x', seconds));
  issue(of('example.com/x'));
  count({ ...of('example.com/x', seconds), status: {} }, of('example.com/x', seconds));
  count({ ...of('example.com/x', seconds), status: { certificate } }, { ...of('example.com/x', seconds), status: { certificate } });
  assert.deepEqual([requested.with('kubernetes.io/kubelet-serving').value, honored.with('kubernetes.io/kubelet-serving').value], [2, 1]);
  assert.deepEqual([requested.with('other').value, honored.with('other').value], [1, 1]);
});

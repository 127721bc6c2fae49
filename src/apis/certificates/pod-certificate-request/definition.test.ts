import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podCertificateRequests } from './definition.ts';
import type { PodCertificateRequestObject } from './validation.ts';

const conversion = podCertificateRequests.conversions?.['v1'];
assert.ok(conversion);
const stored = (): PodCertificateRequestObject =>
  ({
    metadata: { name: 'a' },
    spec: { signerName: 's/s', pkixPublicKey: 'a2V5', proofOfPossession: 'cHJvb2Y=' },
  }) as PodCertificateRequestObject;

test('v1 does not show the key, and an object that comes from v1 has none', () => {
  const shown = conversion.fromStorage(stored());
  assert.deepEqual(shown, { metadata: { name: 'a' }, spec: { signerName: 's/s' } });
  const { spec } = conversion.toStorage(shown) as PodCertificateRequestObject;
  assert.deepEqual([spec.pkixPublicKey, spec.proofOfPossession], [null, null]);
});

test('a webhook that changes the v1 form of an object leaves the key as it was', () => {
  const before = stored();
  const changed = conversion.fromStorage(stored());
  changed.metadata.labels = { a: 'b' };
  assert.deepEqual(conversion.toStorage(changed, before), { ...before, metadata: { name: 'a', labels: { a: 'b' } } });
});

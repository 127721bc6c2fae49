import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../../schema/types/core-v1.ts';
import { noFeatures } from '../../../server/registry/features.ts';
import { dropDisabledFields } from './disabled-fields.ts';

const gated = (): PodSpec => ({
  containers: [
    {
      name: 'main',
      resources: { claims: [{ name: 'c' }] },
      lifecycle: { stopSignal: 'SIGTERM' },
      securityContext: { procMount: 'Unmasked' },
    },
  ],
  hostUsers: false,
  resourceClaims: [{ name: 'c', resourceClaimName: 'x' }],
});

test('dropDisabledFields() removes fields whose gates are off', () => {
  const spec = gated();
  dropDisabledFields(spec, undefined, noFeatures);
  assert.deepEqual(spec, { containers: [{ name: 'main', resources: {}, securityContext: { procMount: 'Default' } }] });
});

test('dropDisabledFields() keeps what the stored object uses', () => {
  const spec = gated();
  dropDisabledFields(spec, gated(), noFeatures);
  assert.deepEqual(spec, gated());
});

test('dropDisabledFields() leaves everything when the gates are on', () => {
  const spec = gated();
  dropDisabledFields(spec, undefined, { enabled: () => true });
  assert.deepEqual(spec, gated());
});

test('dropDisabledFields() removes users from the first source of a volume only, as upstream does', () => {
  const spec: PodSpec = {
    containers: [],
    volumes: [
      { name: 'v', secret: { defaultUser: 1, items: [{ key: 'k', path: 'p', user: 1 }] }, configMap: { defaultUser: 2 } },
      { name: 'w', projected: { defaultUser: 3, sources: [{ serviceAccountToken: { path: 'p', user: 3 } }] } },
    ],
  };
  dropDisabledFields(spec, undefined, noFeatures);
  assert.deepEqual(spec.volumes, [
    { name: 'v', secret: { items: [{ key: 'k', path: 'p' }] }, configMap: { defaultUser: 2 } },
    { name: 'w', projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } },
  ]);
});

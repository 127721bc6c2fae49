import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeSpec } from '../../../schema/types/core-v1.ts';
import { typedContext } from '../../../../test/support/write-context.ts';
import { validate, validateUpdate } from './validation.ts';

const context = typedContext({ group: '', version: 'v1', kind: 'PersistentVolume' });

const csi = { driver: 'example.com', volumeHandle: 'h' };
const volume = (spec: Partial<PersistentVolumeSpec>): Parameters<typeof validate>[0] => ({
  metadata: { name: 'v', resourceVersion: '1' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  status: {},
});

const cases: readonly (readonly [what: string, spec: Partial<PersistentVolumeSpec>, errors: readonly string[]])[] = [
  ['one source is enough', { csi }, []],
  ['no source is too few', {}, ['spec: Required value: must specify a volume type']],
  ['two sources are too many', { csi, hostPath: { path: '/a' } }, ['spec.csi: Forbidden: may not specify more than 1 volume type']],
  [
    'a local volume is bound to nodes',
    { local: { path: '/a' } },
    ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
  ],
  [
    'the root of a host is not recycled',
    { hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
    ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
  ],
  [
    'a path that is almost the root is compared in one go',
    { hostPath: { path: `${'/.'.repeat(100_000)}a` }, persistentVolumeReclaimPolicy: 'Recycle' },
    [],
  ],
  [
    'what has no size is shown with its keys in order',
    { csi, capacity: { 0: '1Ki', '$(A)': '1m' } },
    ['spec.capacity: Unsupported value: {"$(A)":"1m","0":"1Ki"}: supported values: "storage"'],
  ],
  ['a size is positive', { csi, capacity: { storage: '0' } }, ['spec.capacity[storage]: Invalid value: "0": must be greater than zero']],
];

for (const [what, spec, errors] of cases)
  test(`PersistentVolume: ${what}`, () => assert.deepEqual(validate(volume(spec), context).map(String), errors));

test('the source of a volume never changes, but a secret for growing may come', () => {
  const old = volume({ csi });
  assert.deepEqual(validateUpdate(volume({ csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'd' } } }), old, context), []);
  const [error] = validateUpdate(volume({ csi: { ...csi, volumeHandle: 'other' } }), old, context);
  assert.match(String(error), /^spec\.persistentvolumesource: Forbidden: [^]*\n-  "VolumeHandle": "h",\n\+  "VolumeHandle": "other",\n/);
});

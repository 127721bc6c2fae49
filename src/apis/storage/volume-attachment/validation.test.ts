import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeSpec } from '../../../schema/types/core-v1.ts';
import type { VolumeAttachmentSource, VolumeAttachmentStatus } from '../../../schema/types/storage-v1.ts';
import { validate } from './validation.ts';

const inline: PersistentVolumeSpec = { accessModes: ['ReadWriteOnce'], csi: { driver: 'example.com', volumeHandle: 'h' } };
const attachment = (source: VolumeAttachmentSource, status: Partial<VolumeAttachmentStatus> = {}): Parameters<typeof validate>[0] => ({
  metadata: { name: 'a' },
  spec: { attacher: 'example.com', nodeName: 'n', source },
  status: { attached: false, ...status },
});
const notInline = 'may not be specified in the context of inline volumes';
const path = 'spec.source.inlineVolumeSpec';

const sources: readonly (readonly [what: string, source: VolumeAttachmentSource, errors: readonly string[]])[] = [
  ['a volume by name', { persistentVolumeName: 'v' }, []],
  ['a volume written out', { inlineVolumeSpec: inline }, []],
  [
    'both',
    { persistentVolumeName: 'v', inlineVolumeSpec: inline },
    ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  ],
  ['a capacity', { inlineVolumeSpec: { ...inline, capacity: { storage: '1Gi' } } }, [`${path}.capacity: Forbidden: ${notInline}`]],
  ['a claim', { inlineVolumeSpec: { ...inline, claimRef: { name: 'c' } } }, [`${path}.claimRef: Forbidden: ${notInline}`]],
  ['a class', { inlineVolumeSpec: { ...inline, storageClassName: 's' } }, [`${path}.storageClassName: Forbidden: ${notInline}`]],
  [
    'a policy',
    { inlineVolumeSpec: { ...inline, persistentVolumeReclaimPolicy: 'Delete' } },
    [`${path}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`],
  ],
  [
    'a block device',
    { inlineVolumeSpec: { ...inline, volumeMode: 'Block' } },
    [`${path}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`],
  ],
  ['places', { inlineVolumeSpec: { ...inline, nodeAffinity: {} } }, [`${path}.nodeAffinity: Forbidden: ${notInline}`]],
];

for (const [what, source, errors] of sources) {
  test(`validate() judges an attachment of ${what}`, () => assert.deepEqual(validate(attachment(source)).map(String), errors));
}

test('validate() limits what a failed attachment tells', () => {
  const attachError = { time: null, message: 'x'.repeat(1025), errorCode: -1 };
  assert.deepEqual(validate(attachment({ persistentVolumeName: 'v' }, { attachError })).map(String), [
    'status.attachError.message: Too long: may not be more than 1024 bytes',
    'status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ]);
});

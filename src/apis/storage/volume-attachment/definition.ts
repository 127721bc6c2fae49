// Upstream: k8s.io/kubernetes/pkg/registry/storage/volumeattachment/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { defaultVolumeSpec } from '../../common/persistent-volume-spec/defaults.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { validate, validateUpdate } from './validation.ts';
import type { VolumeAttachmentObject } from './validation.ts';

const specType = 'io.k8s.api.storage.v1.VolumeAttachmentSpec';

export const volumeAttachments = defineResource<VolumeAttachmentObject>({
  group: 'storage.k8s.io',
  plural: 'volumeattachments',
  strategy: {
    allowUnconditionalUpdate: false,
    returnDeletedObject: true,
    defaults({ spec }) {
      if (spec.source.inlineVolumeSpec !== undefined) defaultVolumeSpec(spec.source.inlineVolumeSpec);
    },
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate,
  },
  status: {
    prepareForUpdate({ metadata, status }, old, { features }) {
      resetMetadataForStatus(metadata, old.metadata);
      if (features.enabled('MutableCSINodeAllocatableCount')) return;
      for (const field of ['attachError', 'detachError'] as const) {
        if (old.status[field]?.errorCode === undefined) delete status[field]?.errorCode;
      }
    },
    validateUpdate,
    resetFields: [['metadata'], ['spec']],
  },
  columns: [
    // announced as a name by upstream
    { name: 'Attacher', type: 'string', format: 'name', description: docOf(specType, 'attacher'), cell: ({ spec }) => spec.attacher },
    {
      name: 'PV',
      type: 'string',
      description: docOf('io.k8s.api.storage.v1.VolumeAttachmentSource', 'persistentVolumeName'),
      cell: ({ spec }) => spec.source.persistentVolumeName ?? '',
    },
    { name: 'Node', type: 'string', description: docOf(specType, 'nodeName'), cell: ({ spec }) => spec.nodeName },
    {
      name: 'Attached',
      type: 'boolean',
      description: docOf('io.k8s.api.storage.v1.VolumeAttachmentStatus', 'attached'),
      cell: ({ status }) => status.attached,
    },
    ageColumn,
  ],
});

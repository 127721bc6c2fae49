// Upstream: k8s.io/kubernetes/pkg/registry/resource/devicetaintrule/{strategy.go,storage/storage.go}
import { defineResource } from '../../../server/registry/definition.ts';
import { taintedSince } from '../../common/device/taints.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { columns } from './columns.ts';
import type { DeviceTaintRuleObject } from './validation.ts';
import { validate, validateStatusUpdate } from './validation.ts';

/** The versions before v1 were served with the defaults of their day. */
const isLegacy = (version: string): boolean => version !== 'v1';

export const deviceTaintRules = defineResource<DeviceTaintRuleObject>({
  group: 'resource.k8s.io',
  plural: 'devicetaintrules',
  strategy: {
    generation: true,
    allowUnconditionalUpdate: isLegacy,
    returnDeletedObject: isLegacy,
    timeDefaults: ({ spec }, _version, now) => taintedSince(spec?.taint, now),
    /** The time tells since when the effect is there, unless the client says something else. */
    prepareForUpdate({ spec: { taint } }, { spec: { taint: old } }, { now }) {
      if (taint.effect !== old.effect && taint.timeAdded === old.timeAdded) taint.timeAdded = now;
    },
    validate,
    validateUpdate: validate,
  },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: validateStatusUpdate,
    resetFields: [['metadata'], ['spec']],
  },
  columns,
});

// Upstream: k8s.io/kubernetes/pkg/registry/resource/resourceslice/strategy.go
import { goQuote } from '../../../machinery/go-format.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { taintedSince } from '../../common/device/taints.ts';
import { columns } from './columns.ts';
import { conversionV1beta1 } from './conversion.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import type { SliceObject } from './validation.ts';
import { validate, validateUpdate } from './validation.ts';
import type { Device as FlatDevice } from '../../../schema/types/resource-v1beta1.ts';

export const resourceSlices = defineResource<SliceObject>({
  group: 'resource.k8s.io',
  plural: 'resourceslices',
  strategy: {
    generation: true,
    returnDeletedObject: true,
    timeDefaults({ spec }, version, now) {
      for (const device of spec?.devices ?? []) {
        const { taints = [] } = version === 'v1beta1' ? ((device as FlatDevice).basic ?? {}) : device;
        for (const taint of taints) taintedSince(taint, now);
      }
    },
    prepareForCreate: (slice, { features }) => dropDisabledFields(slice, undefined, features),
    prepareForUpdate(slice, old, { features }) {
      // Fields that are dropped below count as a change, as in upstream.
      if (!semanticDeepEqual(slice.spec, old.spec)) slice.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      dropDisabledFields(slice, old, features);
    },
    validate,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.driver': ({ spec }) => spec.driver,
    'spec.pool.name': ({ spec }) => spec.pool.name,
  },
  unknownFieldLabel: (label, apiVersion) => `field label not supported for ${apiVersion}, Kind=ResourceSlice: ${label}`,
  indexedFields: ['spec.nodeName'],
  conversions: { v1beta1: conversionV1beta1 },
  columns,
});

function warnings({ spec: { driver } }: SliceObject): string[] {
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}

// Upstream: k8s.io/kubernetes/pkg/registry/resource/deviceclass/strategy.go
import type { FeatureGates } from '../../../server/registry/features.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import type { DeviceClassObject } from './validation.ts';
import { validate, validateName } from './validation.ts';

export const deviceClasses = defineResource<DeviceClassObject>({
  group: 'resource.k8s.io',
  plural: 'deviceclasses',
  strategy: {
    generation: true,
    returnDeletedObject: true,
    validateName,
    prepareForCreate: (deviceClass, { features }) => dropDisabledFields(deviceClass, undefined, features),
    prepareForUpdate: (deviceClass, old, { features }) => dropDisabledFields(deviceClass, old, features),
    validateInSteps: validate,
    validatesMetadataOnUpdate: true,
  },
  columns: [ageColumn],
});

function dropDisabledFields({ spec }: DeviceClassObject, old: DeviceClassObject | undefined, features: FeatureGates): void {
  if (!features.enabled('DRAExtendedResource') && old?.spec.extendedResourceName === undefined) delete spec.extendedResourceName;
}

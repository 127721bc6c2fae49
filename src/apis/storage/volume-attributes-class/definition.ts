// Upstream: k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass/strategy.go
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden } from '../../../machinery/field.ts';
import type { VolumeAttributesClass } from '../../../schema/types/storage-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { validateParameters, validateProvisioner } from '../../common/storage-parameters.ts';

type Class = VolumeAttributesClass & KubeObject;

export const volumeAttributesClasses = defineResource<Class>({
  group: 'storage.k8s.io',
  plural: 'volumeattributesclasses',
  strategy: {
    returnDeletedObject: true,
    validate,
    validateUpdate: (object, old) => [
      ...(['driverName', 'parameters'] as const)
        .filter((field) => !deepEqual(object[field], old[field]))
        .map((field) => forbidden(FieldPath.root(field), `updates to ${field} are forbidden.`)),
      ...validateMetadata(object.metadata, false),
      ...validate(object),
    ],
  },
  columns: [
    {
      name: 'DriverName',
      type: 'string',
      description: docOf('io.k8s.api.storage.v1.VolumeAttributesClass', 'driverName'),
      cell: ({ driverName }) => driverName,
    },
    ageColumn,
  ],
});

function validate({ driverName, parameters = {} }: Class): FieldError[] {
  return [
    ...validateProvisioner(driverName, FieldPath.root('driverName')),
    ...validateParameters(parameters, FieldPath.root('parameters'), { allowNone: false }),
  ];
}

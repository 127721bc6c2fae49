// Upstream: k8s.io/kubernetes/pkg/registry/scheduling/workload/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { validate } from './validation.ts';
import type { WorkloadObject } from './validation.ts';

export const workloads = defineResource<WorkloadObject>({
  group: 'scheduling.k8s.io',
  plural: 'workloads',
  strategy: {
    allowUnconditionalUpdate: false,
    prepareForCreate: ({ spec }, { features }) => dropDisabledFields(spec, undefined, features),
    prepareForUpdate: ({ spec }, old, { features }) => dropDisabledFields(spec, old.spec, features),
    validate,
    validateUpdate: (workload, _, context) => validate(workload, context),
  },
  columns: [ageColumn],
});

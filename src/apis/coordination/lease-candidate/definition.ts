// Upstream: k8s.io/kubernetes/pkg/registry/coordination/leasecandidate/strategy.go
import { checkConfigMapKey } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { validate, validateUpdate } from './validation.ts';
import type { LeaseCandidateObject } from './validation.ts';

export const leaseCandidates = defineResource<LeaseCandidateObject>({
  group: 'coordination.k8s.io',
  plural: 'leasecandidates',
  strategy: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    validateName: (name) => checkConfigMapKey(name),
    validate,
    validateUpdate,
  },
  columns: [
    {
      name: 'LeaseName',
      type: 'string',
      description: docOf('io.k8s.api.coordination.v1alpha2.LeaseCandidateSpec', 'leaseName'),
      cell: ({ spec }) => spec.leaseName,
    },
    // upstream looks for the descriptions of these two where there are none
    { name: 'BinaryVersion', type: 'string', cell: ({ spec }) => spec.binaryVersion },
    { name: 'EmulationVersion', type: 'string', cell: ({ spec }) => spec.emulationVersion ?? '' },
    ageColumn,
  ],
});

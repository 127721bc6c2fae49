// Upstream: k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { paramKindColumn } from '../../common/admission-rules/columns.ts';
import { defaultPolicy, policyRules } from '../../common/admission-rules/policy-spec.ts';
import type { MutatingPolicy } from './validation.ts';
import { mutatingPolicy } from './validation.ts';

export const mutatingAdmissionPolicies = defineResource<MutatingPolicy>({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingadmissionpolicies',
  strategy: { ...policyRules(mutatingPolicy), defaults: defaultPolicy },
  columns: [
    {
      name: 'Mutations',
      type: 'integer',
      description: 'Mutation indicates the number of mutations rules defined in this configuration',
      cell: ({ spec }) => spec.mutations?.length ?? 0,
    },
    paramKindColumn,
    ageColumn,
  ],
});

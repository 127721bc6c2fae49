// Upstream: k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { paramKindColumn } from '../../common/admission-rules/columns.ts';
import { defaultPolicy, policyRules } from '../../common/admission-rules/policy-spec.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { validateStatus } from './status-validation.ts';
import type { ValidatingPolicy } from './validation.ts';
import { validatingPolicy } from './validation.ts';

export const validatingAdmissionPolicies = defineResource<ValidatingPolicy>({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingadmissionpolicies',
  strategy: { ...policyRules(validatingPolicy), defaults: defaultPolicy },
  status: {
    prepareForUpdate: (policy, old) => resetMetadataForStatus(policy.metadata, old.metadata),
    validateUpdate: validateStatus,
    resetFields: [['spec'], ['metadata']],
  },
  columns: [
    {
      name: 'Validations',
      type: 'integer',
      description: 'Validations indicates the number of validation rules defined in this configuration',
      cell: ({ spec }) => spec.validations?.length ?? 0,
    },
    paramKindColumn,
    ageColumn,
  ],
});

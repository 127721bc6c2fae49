// Upstream: k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding/strategy.go
import type { ValidatingAdmissionPolicyBinding } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { bindingColumns } from '../../common/admission-rules/columns.ts';
import { bindingRules } from '../../common/admission-rules/policy-binding.ts';
import { validateSpec } from './validation.ts';

export const validatingAdmissionPolicyBindings = defineResource<ValidatingAdmissionPolicyBinding & KubeObject>({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingadmissionpolicybindings',
  strategy: bindingRules('validatingadmissionpolicies', validateSpec),
  columns: bindingColumns,
});

// Upstream: k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding/strategy.go
import type { MutatingAdmissionPolicyBinding } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { bindingColumns } from '../../common/admission-rules/columns.ts';
import { bindingRules, validateBound } from '../../common/admission-rules/policy-binding.ts';
import { validateMutatingOperations } from '../../common/admission-rules/rules.ts';

export const mutatingAdmissionPolicyBindings = defineResource<MutatingAdmissionPolicyBinding & KubeObject>({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingadmissionpolicybindings',
  strategy: bindingRules('mutatingadmissionpolicies', (spec, path) => [
    ...validateBound(spec, path),
    ...validateMutatingOperations(spec.matchResources, path.child('matchResources')),
  ]),
  columns: bindingColumns,
});

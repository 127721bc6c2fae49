// Upstream: pkg/registry/admissionregistration/mutatingadmissionpolicy/strategy.go
import { defaultMatchResources } from '../../common/admission-rules/defaults.ts';
import type { MutatingAdmissionPolicy } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';

/** Stored and shown; nobody evaluates the policy yet. */
export const mutatingAdmissionPolicies = defineResource<MutatingAdmissionPolicy & KubeObject>({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingadmissionpolicies',
  strategy: {
    generation: true,
    allowUnconditionalUpdate: false,
    defaults({ spec }) {
      if (spec === undefined) return;
      spec.failurePolicy ??= 'Fail';
      defaultMatchResources(spec.matchConstraints);
    },
  },
});

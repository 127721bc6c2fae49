// Upstream: pkg/apis/admissionregistration/validation/validation.go (validate{Validating,Mutating}AdmissionPolicyBindingSpec)
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { MutatingAdmissionPolicyBindingSpec } from '../../../schema/types/admissionregistration-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defaultMatchResources, defaultParamRef } from './defaults.ts';
import { paramRefAccess } from './param-authorization.ts';
import { validateParamRef } from './parameters.ts';
import { validateMatchResources } from './rules.ts';
import { staticNameWarnings, staticNameWarningsOnCreate, validateNotStatic, validateOwnMetadata } from './static-names.ts';

interface Binding<S extends MutatingAdmissionPolicyBindingSpec> extends KubeObject {
  spec: S;
}

const specPath = FieldPath.root('spec');

/** Rules of a kind of bindings; `validateSpec` adds those of its own, old being undefined on create. */
export function bindingRules<S extends MutatingAdmissionPolicyBindingSpec>(
  policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies',
  validateSpec: (spec: S, old: S | undefined, path: FieldPath) => FieldError[],
) {
  const validate = ({ metadata, spec }: Binding<S>, old: S | undefined): FieldError[] => [
    ...validateOwnMetadata(metadata),
    ...validateSpec(spec, old, specPath),
  ];
  return {
    // The kinds' own rules begin with the metadata.
    leavesMetadata: true,
    generation: true,
    allowUnconditionalUpdate: false,
    defaults({ spec }: Binding<S>, version: string): void {
      defaultParamRef(spec.paramRef, version);
      defaultMatchResources(spec.matchResources);
    },
    validate: (binding: Binding<S>, context: WriteContext): FieldError[] => [
      ...validate(binding, undefined),
      ...validateNotStatic(binding.metadata, context),
    ],
    validateUpdate: (binding: Binding<S>, old: Binding<S>): FieldError[] => validate(binding, old.spec),
    validateReferences: paramRefAccess(policies),
    warningsOnCreate: staticNameWarningsOnCreate,
    warningsOnUpdate: staticNameWarnings,
  };
}

/** Of a policy's name that is there, and of what the policy is bound to. */
export function validateBound({ policyName, paramRef, matchResources }: MutatingAdmissionPolicyBindingSpec, path: FieldPath): FieldError[] {
  const problems = policyName ? nameIsDnsSubdomain(policyName, false) : [];
  return [
    ...problems.map((problem) => invalid(path.child('policyName'), policyName, problem)),
    ...validateParamRef(paramRef, path.child('paramRef')),
    ...validateMatchResources(matchResources, path.child('matchResources')),
  ];
}

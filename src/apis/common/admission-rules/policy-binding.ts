// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validate{Validating,Mutating}AdmissionPolicyBindingSpec
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { MutatingAdmissionPolicyBindingSpec } from '../../../schema/types/admissionregistration-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defaultMatchResources, defaultParamRef } from './defaults.ts';
import { paramRefAccess } from './param-authorization.ts';
import { validateParamRef } from './parameters.ts';
import { validateMatchResources } from './rules.ts';
import { staticNameWarnings, staticNameWarningsOnCreate, validateNotStatic, validateOwnMetadata } from './static-names.ts';

export interface Binding<S extends MutatingAdmissionPolicyBindingSpec> extends KubeObject {
  spec: S;
}

const specPath = FieldPath.root('spec');

/** Rules of a kind of bindings; `validateSpec` has those of its own. */
export function bindingRules<S extends MutatingAdmissionPolicyBindingSpec>(
  policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies',
  validateSpec: (spec: S, path: FieldPath) => FieldError[],
) {
  const validate = ({ metadata, spec }: Binding<S>): FieldError[] => [...validateOwnMetadata(metadata), ...validateSpec(spec, specPath)];
  return {
    // The kinds' own rules begin with the metadata.
    skipsMetadataValidation: true,
    generation: true,
    allowUnconditionalUpdate: false,
    defaults({ spec }: Binding<S>, version: string): void {
      defaultParamRef(spec.paramRef, version);
      defaultMatchResources(spec.matchResources);
    },
    validate: (binding: Binding<S>, context: WriteContext): FieldError[] => [
      ...validate(binding),
      ...validateNotStatic(binding.metadata, context),
    ],
    validateUpdate: validate,
    validateReferences: paramRefAccess(policies),
    warningsOnCreate: staticNameWarningsOnCreate,
    warningsOnUpdate: staticNameWarnings,
  };
}

export function validateBound({ policyName, paramRef, matchResources }: MutatingAdmissionPolicyBindingSpec, path: FieldPath): FieldError[] {
  return [
    ...validatePolicyName(policyName, path.child('policyName')),
    ...validateParamRef(paramRef, path.child('paramRef')),
    ...validateMatchResources(matchResources, path.child('matchResources')),
  ];
}

function validatePolicyName(name: string | undefined, path: FieldPath): FieldError[] {
  return name ? nameIsDnsSubdomain(name, false).map((problem) => invalid(path, name, problem)) : [required(path, '')];
}

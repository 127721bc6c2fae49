// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateMutatingAdmissionPolicySpec
import type { Steps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import { jsonPatchType, objectType } from '../../../cel/kubernetes/patch-types.ts';
import { listOf } from '../../../cel/types.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicySpec, Mutation } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { ExpressionCompiler } from '../../common/admission-rules/expressions.ts';
import { validateReinvocationPolicy } from '../../common/admission-rules/one-of.ts';
import type { PolicyKind } from '../../common/admission-rules/policy-spec.ts';

export type MutatingPolicy = MutatingAdmissionPolicy & KubeObject;

const resultTypes = { ApplyConfiguration: [objectType], JSONPatch: [listOf(jsonPatchType)] } as const;
const fieldNames = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;
type PatchType = keyof typeof fieldNames;
const patchTypes = Object.keys(fieldNames) as readonly PatchType[];

export const mutatingPolicy: PolicyKind<MutatingAdmissionPolicySpec> = {
  mutates: true,
  hasVariables: () => true,
  storedBesideVariables: () => [],
  *validate({ mutations = [], reinvocationPolicy }, old, compiler, path) {
    // A quirk: JSON patches, too, pass as stored where an apply configuration had their expression.
    const stored = new Set(old?.mutations?.map(({ applyConfiguration }) => applyConfiguration?.expression));
    const errors: FieldError[] = [];
    for (const [i, mutation] of mutations.entries())
      append(errors, yield* validateMutation(mutation, compiler, stored, path.child('mutations').index(i)));
    if (mutations.length === 0) errors.push(required(path.child('mutations'), 'mutations must contain at least one item'));
    if (!reinvocationPolicy) errors.push(required(path.child('reinvocationPolicy'), ''));
    else append(errors, validateReinvocationPolicy(reinvocationPolicy, path.child('reinvocationPolicy')));
    return errors;
  },
};

function* validateMutation(
  mutation: Mutation,
  compiler: ExpressionCompiler,
  stored: ReadonlySet<string | undefined>,
  path: FieldPath,
): Steps<FieldError[]> {
  if (mutation.patchType === '') return [required(path.child('patchType'), '')];
  const patchType = patchTypes.find((type) => type === mutation.patchType);
  if (patchType === undefined) return [notSupported(path.child('patchType'), typedValue(mutation.patchType), patchTypes)];
  const own = fieldNames[patchType];
  const other = own === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const errors: FieldError[] = [];
  if (mutation[own] === undefined) errors.push(required(path.child(own), `must be specified when patchType is ${patchType}`));
  else {
    const { expression = '' } = mutation[own];
    const trimmed = expression.trim();
    const at = path.child(own, 'expression');
    const use = stored.has(expression) ? 'stored' : 'new';
    if (trimmed === '') errors.push(required(at, ''));
    else append(errors, yield* compiler.check(trimmed, at, { use, returns: resultTypes[patchType], hasPatches: true }));
  }
  if (mutation[other] !== undefined) {
    errors.push(invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`));
  }
  return errors;
}

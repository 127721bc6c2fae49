// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/validation/validation.go#ValidateCrossVersionObjectReference
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, required } from '../../../machinery/field.ts';
import { parseGroupVersion, unexpectedGroupVersionMessage } from '../../../machinery/group-version.ts';
import { nameIsPathSegment } from '../../../machinery/names.ts';
import type { CrossVersionObjectReference } from '../../../schema/types/autoscaling-v2.ts';

export interface ReferenceRules {
  /** apiVersion may be anything */
  readonly allowInvalid: boolean;
  readonly allowCoreGroup: boolean;
}

export function validateReference(reference: CrossVersionObjectReference, path: FieldPath, rules: ReferenceRules): FieldError[] {
  const errors: FieldError[] = [];
  for (const member of ['kind', 'name'] as const) {
    const value = reference[member];
    if (value === '') errors.push(required(path.child(member), ''));
    else
      append(
        errors,
        nameIsPathSegment(value, false).map((problem) => invalid(path.child(member), value, problem)),
      );
  }
  const problem = apiVersionProblem(reference, rules);
  if (problem !== undefined) errors.push(invalid(path.child('apiVersion'), reference.apiVersion ?? '', problem));
  return errors;
}

export function apiVersionProblem(
  { apiVersion = '' }: CrossVersionObjectReference,
  { allowInvalid, allowCoreGroup }: ReferenceRules,
): string | undefined {
  if (allowInvalid) return undefined;
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) return unexpectedGroupVersionMessage(apiVersion);
  return groupVersion.group === '' && !allowCoreGroup ? 'apiVersion must specify API group' : undefined;
}

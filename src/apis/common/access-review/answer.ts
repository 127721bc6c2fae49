// Upstream: k8s.io/kubernetes/pkg/registry/authorization/subjectaccessreview/rest.go
import { invalid } from '../../../machinery/errors.ts';
import type { FieldError } from '../../../machinery/field.ts';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from '../../../schema/types/authorization-v1.ts';
import type { UserInfo } from '../../../server/request/user.ts';
import type { Authorizer } from '../../../server/request/authorizer.ts';
import type { Question } from './attributes.ts';

/** Throws what is wrong with a review. Upstream has no kind at hand when it does, so none is named. */
export function requireValid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

export async function answerOf({ attributes, problems }: Question, authorizer: Authorizer): Promise<SubjectAccessReviewStatus> {
  const { decision, reason, error } = await authorizer.authorize(attributes);
  const evaluationError = [...(error === undefined ? [] : [error]), ...problems].join('; ');
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' && { denied: true }),
    ...(reason !== '' && { reason }),
    ...(evaluationError !== '' && { evaluationError }),
  };
}

export function subjectOf({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): UserInfo {
  return { name: user, uid, groups, extra };
}

// Upstream: k8s.io/kubernetes/pkg/registry/authorization/localsubjectaccessreview/rest.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import type { LocalSubjectAccessReview } from '../../../schema/types/authorization-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { answerOf, requireValid, subjectOf } from '../../common/access-review/answer.ts';
import { questionOf } from '../../common/access-review/attributes.ts';
import { internalForm, validateEmptyMetadata, validateSubjectAccessReviewSpec } from '../../common/access-review/validation.ts';

/** May this user do that, in this namespace? For those who may ask about one namespace only. */
export const localSubjectAccessReviews = defineResource<LocalSubjectAccessReview & KubeObject>({
  group: 'authorization.k8s.io',
  plural: 'localsubjectaccessreviews',
  virtual: {
    async create(review, { authorizer }) {
      requireValid([
        ...validateSubjectAccessReviewSpec(review.spec),
        ...validateEmptyMetadata(review.metadata, ['namespace'], 'must be empty except for namespace'),
        ...validateLocality(review),
      ]);
      review.status = await answerOf(questionOf(subjectOf(review.spec), review.spec), authorizer);
      return review;
    },
  },
});

function validateLocality({ metadata, spec }: LocalSubjectAccessReview): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  const asked = resourceAttributes?.namespace ?? '';
  if (resourceAttributes !== undefined && asked !== metadata.namespace) {
    errors.push(invalid(FieldPath.root('spec', 'resourceAttributes', 'namespace'), asked, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes !== undefined) {
    const path = FieldPath.root('spec', 'nonResourceAttributes');
    errors.push(invalid(path, internalForm(nonResourceAttributes), 'disallowed on this kind of request'));
  }
  return errors;
}

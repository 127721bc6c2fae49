// Upstream: k8s.io/kubernetes/pkg/registry/authorization/subjectaccessreview/rest.go
import type { SubjectAccessReview } from '../../../schema/types/authorization-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { answerOf, requireValid, subjectOf } from '../../common/access-review/answer.ts';
import { questionOf } from '../../common/access-review/attributes.ts';
import { validateEmptyMetadata, validateSubjectAccessReviewSpec } from '../../common/access-review/validation.ts';

/** May this user do that, anywhere? */
export const subjectAccessReviews = defineResource<SubjectAccessReview & KubeObject>({
  group: 'authorization.k8s.io',
  plural: 'subjectaccessreviews',
  virtual: {
    async create(review, { authorizer }) {
      requireValid([...validateSubjectAccessReviewSpec(review.spec), ...validateEmptyMetadata(review.metadata, [], 'must be empty')]);
      review.status = await answerOf(questionOf(subjectOf(review.spec), review.spec), authorizer);
      return review;
    },
  },
});

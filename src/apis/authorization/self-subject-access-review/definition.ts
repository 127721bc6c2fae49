// Upstream: k8s.io/kubernetes/pkg/registry/authorization/selfsubjectaccessreview/rest.go
import type { SelfSubjectAccessReview } from '../../../schema/types/authorization-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { answerOf, requireValid } from '../../common/access-review/answer.ts';
import { questionOf } from '../../common/access-review/attributes.ts';
import { validateEmptyMetadata, validateSelfSubjectAccessReviewSpec } from '../../common/access-review/validation.ts';

/** May I do that? */
export const selfSubjectAccessReviews = defineResource<SelfSubjectAccessReview & KubeObject>({
  group: 'authorization.k8s.io',
  plural: 'selfsubjectaccessreviews',
  virtual: {
    async create(review, { user, authorizer }) {
      requireValid([...validateSelfSubjectAccessReviewSpec(review.spec), ...validateEmptyMetadata(review.metadata, [], 'must be empty')]);
      review.status = await answerOf(questionOf(user, review.spec), authorizer);
      return review;
    },
  },
});

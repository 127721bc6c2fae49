// Upstream: k8s.io/kubernetes/pkg/registry/authorization/selfsubjectaccessreview/rest.go
import type { SelfSubjectAccessReview } from '../../../schema/types/authorization-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { answerOf, requireValid } from '../../common/access-review/answer.ts';
import { questionOf } from '../../common/access-review/attributes.ts';
import { validateEmptyMetadata, validateSelfSubjectAccessReviewSpec } from '../../common/access-review/validation.ts';

/** May I do that? */
export const selfSubjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  plural: 'selfsubjectaccessreviews',
  virtual: {
    async create(body, { user, authorizer }) {
      const review = body as unknown as SelfSubjectAccessReview;
      requireValid([...validateSelfSubjectAccessReviewSpec(review.spec), ...validateEmptyMetadata(body.metadata, [], 'must be empty')]);
      review.status = await answerOf(questionOf(user, review.spec), authorizer);
      return review as unknown as KubeObject;
    },
  },
});

// Upstream: k8s.io/kubernetes/pkg/registry/authentication/selfsubjectreview/rest.go
import { defineResource } from '../../../server/registry/definition.ts';
import { userStatus } from '../../common/user-status.ts';

/** Who am I? */
export const selfSubjectReviews = defineResource({
  group: 'authentication.k8s.io',
  plural: 'selfsubjectreviews',
  virtual: {
    create: (_body, { user, now }) => ({
      metadata: { creationTimestamp: now },
      status: { userInfo: userStatus(user) },
    }),
  },
});

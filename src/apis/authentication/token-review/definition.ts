// Upstream: k8s.io/kubernetes/pkg/registry/authentication/tokenreview/storage.go
import { badRequest, internalError } from '../../../machinery/errors.ts';
import type { TokenReview, TokenReviewStatus } from '../../../schema/types/authentication-v1.ts';
import { withAuthenticatedGroup } from '../../../server/access/authn/authenticator.ts';
import { invalidToken } from '../../../server/access/authn/bearer-token.ts';
import { failureText, intersect } from '../../../server/access/authn/token.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { userStatus } from '../../common/user-status.ts';
import type { TokenHolder, Tokens } from '../../../server/registry/tokens.ts';

/** Whose token is this? */
export const tokenReviews = defineResource<TokenReview & KubeObject>({
  group: 'authentication.k8s.io',
  plural: 'tokenreviews',
  virtual: {
    async create(review, { tokens, reader }) {
      const { token = '', audiences = [] } = review.spec;
      if (token === '') throw badRequest('token is required for TokenReview in authentication');
      if (tokens !== undefined) review.status = await reviewed(tokens, token, audiences, reader);
      return review;
    },
  },
});

async function reviewed(tokens: Tokens, token: string, asked: readonly string[], reader: ObjectReader): Promise<TokenReviewStatus> {
  const audiences = asked.length > 0 ? asked : tokens.audiences;
  let holder: TokenHolder | undefined;
  try {
    holder = await tokens.authenticate(token, audiences.length > 0 ? audiences : undefined, reader);
  } catch (error) {
    // Upstream asks its own loopback token first, which never knows a client's.
    return { user: {}, error: failureText([new Error(invalidToken), error as Error]) };
  }
  if (holder === undefined) return { user: {}, error: invalidToken };
  if (audiences.length > 0 && intersect(audiences, holder.audiences ?? []).length === 0) throw internalError('error validating audiences');
  return {
    authenticated: true,
    user: userStatus(withAuthenticatedGroup(holder.user)),
    ...(holder.audiences !== undefined && { audiences: [...holder.audiences] }),
  };
}

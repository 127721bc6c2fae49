// Upstream: k8s.io/apiserver/plugin/pkg/authenticator/token/webhook/webhook.go
import { goQuote } from '../../../machinery/go-format.ts';
import type { TokenReviewStatus } from '../../../schema/types/authentication-v1.ts';
import type { ReviewClient } from '../../webhook/review-client.ts';
import { intersect } from './token.ts';
import type { UserInfo } from '../../request/user.ts';
import type { TokenAuthenticator } from '../../registry/tokens.ts';

const versions: readonly string[] = ['v1', 'v1beta1'];

/** The apiVersion of reviews; throws when the version is none that can be sent. */
export function tokenReviewVersion(version: string): string {
  if (versions.includes(version)) return `authentication.k8s.io/${version}`;
  throw new Error(
    `unsupported authentication webhook version ${goQuote(version)}, supported versions are ${versions.map(goQuote).join(', ')}`,
  );
}

/** Asks another server who a token stands for. A server that names no audiences speaks for ours. */
export function webhookTokenAuthenticator(client: ReviewClient, implicitAudiences: readonly string[]): TokenAuthenticator {
  return async (token, wanted) => {
    const spec = { token, ...(wanted && wanted.length > 0 && { audiences: wanted }) };
    const status = await client.review<TokenReviewStatus>(spec, { user: {} });
    const { authenticated = false, audiences = [], error = '', user = {} } = status;
    const shared = wanted && intersect(wanted, audiences.length > 0 ? audiences : implicitAudiences);
    if (shared?.length === 0) return undefined;
    if (authenticated) return { user: userOf(user), audiences: shared };
    if (error !== '') throw new Error(error);
    return undefined;
  };
}

function userOf({ username = '', uid = '', groups = [], extra = {} }: NonNullable<TokenReviewStatus['user']>): UserInfo {
  return { name: username, uid, groups, extra };
}

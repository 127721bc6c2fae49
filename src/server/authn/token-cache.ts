// Upstream: apiserver/pkg/authentication/token/cache/cached_token_authenticator.go
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { TokenAuthenticator, TokenHolder } from './token.ts';

const successTtlMs = 10_000;
const maxEntries = 8192;

/** Remembers who a token stands for, so that its signature is checked and its objects are asked once in ten seconds. Refusals are not kept. */
export function cachedTokenAuthenticator(authenticate: TokenAuthenticator, clock: Clock): TokenAuthenticator {
  const known = new Map<string, { holder: TokenHolder; expires: number }>();
  return (token, audiences, cluster) => {
    // Tokens themselves are not kept in memory longer than their request.
    const key = createHash('sha256')
      .update(token)
      .update('\0')
      .update(audiences?.join('\0') ?? '')
      .digest('base64');
    const found = known.get(key);
    if (found !== undefined && found.expires > clock.now()) return found.holder;
    const remember = (holder: TokenHolder | undefined): TokenHolder | undefined => {
      known.delete(key);
      if (holder === undefined) return undefined;
      if (known.size >= maxEntries) known.delete(known.keys().next().value as string);
      known.set(key, { holder, expires: clock.now() + successTtlMs });
      return holder;
    };
    const answer = authenticate(token, audiences, cluster);
    return answer instanceof Promise ? answer.then(remember) : remember(answer);
  };
}

// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/authenticator/config.go
// The token authenticators.
import type { Clock } from '../../../../base/clock.ts';
import { withAuthenticatedGroup } from '../authenticator.ts';
import { bootstrapTokenUser } from '../bootstrap-token.ts';
import { forAudiences, unionTokenAuthenticator } from '../token.ts';
import { cachedTokenAuthenticator } from '../token-cache.ts';
import type { TokenCacheMetrics } from '../token-cache-metrics.ts';
import type { UserInfo } from '../../../request/user.ts';
import type { TokenMetrics } from './token-metrics.ts';
import { boundTokenClaims, boundTokenValidator } from './bound-token.ts';
import type { ExternalSigner } from './external-signer.ts';
import type { Claims } from './jwt.ts';
import { encodeClaims, jwtAuthenticator, signJwt } from './jwt.ts';
import type { KeySource, SigningKey } from './keys.ts';
import type { LegacyTokenTracking } from './legacy-token-tracking.ts';
import { legacyIssuer, legacyTokenClaims, legacyTokenValidator } from './legacy-token.ts';
import type { BoundTokenRequest, SecretTokenRequest, TokenAuthenticator, TokenIssuer, Tokens } from '../../../registry/tokens.ts';

/** how long mounted tokens live when they are given more than they asked for */
const extendedSeconds = 365 * 24 * 3600;
/** how long it is remembered who a token stands for, whatever kind it is of */
const successTtlMs = 10_000;

export interface TokensOptions {
  readonly metrics?: TokenMetrics | undefined;
  readonly cacheMetrics?: TokenCacheMetrics | undefined;
  readonly clock: Clock;
  /** the first signs, all are accepted */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly keys: KeySource;
  readonly signingKey?: SigningKey | undefined;
  /** signs in place of a key of this server */
  readonly signer?: ExternalSigner | undefined;
  readonly maxExpirationSeconds?: number;
  readonly extendExpiration?: boolean;
  /** tokens that a server shows to admission webhooks are known */
  readonly admissionWebhookTokens?: boolean;
  /** ask for a legacy token's secret and account */
  readonly lookup?: boolean;
  /** notes the use of legacy tokens */
  readonly legacyTracking?: LegacyTokenTracking;
  readonly staticTokens?: ReadonlyMap<string, UserInfo> | undefined;
  readonly bootstrapTokens?: boolean;
  /** further kinds of tokens, asked last */
  readonly others?: readonly TokenAuthenticator[];
}

/** Everything a server does with bearer tokens, in the order in which upstream asks. */
export function createTokens(options: TokensOptions): Tokens {
  const { clock, issuers, audiences, keys, lookup = true, staticTokens, admissionWebhookTokens = false } = options;
  const now = (): number => clock.now();
  const authenticators: TokenAuthenticator[] = [];
  if (staticTokens !== undefined) authenticators.push(forAudiences(audiences, (token) => staticTokens.get(token)));
  if (keys.all.length > 0) {
    authenticators.push(
      jwtAuthenticator({
        issuers: [legacyIssuer],
        keys,
        audiences,
        validate: legacyTokenValidator(lookup, options.legacyTracking, options.metrics),
      }),
    );
    if (issuers.length > 0)
      authenticators.push(
        jwtAuthenticator({ issuers, keys, audiences, validate: boundTokenValidator(now, admissionWebhookTokens, options.metrics) }),
      );
  }
  if (options.bootstrapTokens === true) {
    authenticators.push(forAudiences(audiences, (token, reader) => bootstrapTokenUser(token, reader, now())));
  }
  authenticators.push(...(options.others ?? []));
  const any = unionTokenAuthenticator(authenticators);
  const identified: TokenAuthenticator = async (token, wanted, reader) => {
    const holder = await any(token, wanted, reader);
    return holder && { ...holder, user: withAuthenticatedGroup(holder.user) };
  };
  return {
    audiences,
    authenticate: cachedTokenAuthenticator(identified, { clock, successTtlMs, unknownTtlMs: 0, metrics: options.cacheMetrics }),
    issuer: createIssuer(options),
  };
}

function createIssuer(options: TokensOptions): TokenIssuer | undefined {
  const { clock, issuers, signingKey: key, signer, maxExpirationSeconds = 0, extendExpiration = true } = options;
  const claimsOf = (request: BoundTokenRequest): Claims => boundTokenClaims(issuers[0] ?? '', request, clock.now());
  const common = { maxExpirationSeconds, extendExpiration, maxExtendedExpirationSeconds: extendedSeconds };
  if (signer !== undefined) {
    const seconds = signer.maxTokenSeconds;
    return {
      issue: (request) => signer.sign(encodeClaims(claimsOf(request))),
      ...common,
      maxExpirationSeconds: maxExpirationSeconds || seconds,
      maxExtendedExpirationSeconds: Math.min(extendedSeconds, seconds),
    };
  }
  if (key === undefined) return undefined;
  const issueForSecret = (request: SecretTokenRequest): string => signJwt(key, legacyTokenClaims(request));
  return { issue: (request) => signJwt(key, claimsOf(request)), issueForSecret, ...common };
}

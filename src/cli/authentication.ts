// Upstream: pkg/kubeapiserver/authenticator/config.go, pkg/kubeapiserver/options/authentication.go
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { ClusterAuthentication } from '../controlplane/bootstrap/cluster-authentication.ts';
import { withAnonymous } from '../server/access/authn/anonymous.ts';
import type { Authenticator } from '../server/access/authn/authenticator.ts';
import { unionAuthenticator } from '../server/access/authn/authenticator.ts';
import { bearerTokenAuthenticators } from '../server/access/authn/bearer-token.ts';
import type { AuthenticationConfiguration } from '../server/access/authn/jwt/configuration.ts';
import { keySetPath, openIdDocuments } from '../server/routes/open-id.ts';
import { frontProxyHeaders, requestHeaderAuthenticator } from '../server/access/authn/request-header.ts';
import type { VerificationKey } from '../server/access/authn/service-account/keys.ts';
import { readSigningKey, readVerificationKeys } from '../server/access/authn/service-account/keys.ts';
import { createTokens } from '../server/access/authn/service-account/tokens.ts';
import { cachedTokenAuthenticator } from '../server/access/authn/token-cache.ts';
import { readTokenFile } from '../server/access/authn/token-file.ts';
import { tokenReviewVersion, webhookTokenAuthenticator } from '../server/access/authn/webhook-token.ts';
import { CertificatePool, x509Authenticator } from '../server/access/authn/x509.ts';
import { loadKubeconfig } from '../server/webhook/kubeconfig.ts';
import { ReviewClient } from '../server/webhook/review-client.ts';
import type { CompletedOptions } from './complete-options.ts';
import { readCsvRecord } from '../machinery/csv.ts';
import { anonymousPaths, jwtTokens } from './jwt-tokens.ts';
import { readPem } from './serving-certificate.ts';
import type { OpenIdDocuments, TokenAuthenticator, Tokens } from '../server/registry/tokens.ts';

/** Front proxy, client certificate, bearer token, and whoever brings nothing: in the original's order. */
export function buildAuthenticator(
  options: CompletedOptions,
  configuration: AuthenticationConfiguration,
  tokens: Tokens | undefined,
  clock: Clock,
): Authenticator {
  const { flags } = options;
  const now = (): number => clock.now();
  const authenticators: Authenticator[] = [];
  if (flags['requestheader-client-ca-file'] !== '') {
    const pool = new CertificatePool(readPem(flags['requestheader-client-ca-file']));
    const headers = {
      userHeaders: flags['requestheader-username-headers'],
      uidHeaders: flags['requestheader-uid-headers'],
      groupHeaders: flags['requestheader-group-headers'],
      extraPrefixes: flags['requestheader-extra-headers-prefix'],
    };
    const isIdentityHeader = frontProxyHeaders(headers);
    authenticators.push((request) => void (request.isIdentityHeader = isIdentityHeader));
    authenticators.push(
      requestHeaderAuthenticator({ ...headers, pool: () => pool, allowedNames: flags['requestheader-allowed-names'], now }),
    );
  }
  if (flags['client-ca-file'] !== '') {
    const pool = new CertificatePool(readPem(flags['client-ca-file']));
    authenticators.push(x509Authenticator(() => pool, now));
  }
  if (tokens !== undefined) authenticators.push(...bearerTokenAuthenticators(tokens));
  const identified = unionAuthenticator(authenticators);
  const paths = anonymousPaths(options, configuration.anonymous);
  return paths === undefined ? identified : withAnonymous(identified, paths);
}

/** What other API servers of the cluster are told about this one's clients. */
export function clusterAuthentication({ flags }: CompletedOptions): ClusterAuthentication {
  const [clientFile, frontProxyFile] = [flags['client-ca-file'], flags['requestheader-client-ca-file']];
  return {
    clientAuthorities: clientFile === '' ? '' : readPem(clientFile),
    ...(frontProxyFile !== '' && {
      frontProxy: {
        authorities: readPem(frontProxyFile),
        allowedNames: flags['requestheader-allowed-names'],
        usernameHeaders: flags['requestheader-username-headers'],
        uidHeaders: flags['requestheader-uid-headers'],
        groupHeaders: flags['requestheader-group-headers'],
        extraHeaderPrefixes: flags['requestheader-extra-headers-prefix'],
      },
    }),
  };
}

export function buildTokens(
  options: CompletedOptions,
  configuration: AuthenticationConfiguration,
  clock: Clock,
  log: Logger,
  owned: AsyncDisposableStack,
): Tokens {
  const { flags } = options;
  const issuers = flags['service-account-issuer'];
  const audiences = flags['api-audiences'].length > 0 ? flags['api-audiences'] : issuers;
  const keys = flags['service-account-key-file'].flatMap((file) => readKeys(file));
  const signingFile = flags['service-account-signing-key-file'];
  const tokenFile = flags['token-auth-file'];
  return createTokens({
    clock,
    issuers,
    audiences,
    keys,
    signingKey: signingFile === '' ? undefined : readSigningKey(readPem(signingFile)),
    maxExpirationSeconds: flags['service-account-max-token-expiration'] / 1000,
    extendExpiration: flags['service-account-extend-token-expiration'],
    lookup: flags['service-account-lookup'],
    staticTokens: tokenFile === '' ? undefined : readTokenFile(csvRecords(readPem(tokenFile)), tokenFile),
    bootstrapTokens: flags['enable-bootstrap-token-auth'],
    others: [...jwtTokens(options, configuration, audiences, clock, log, owned), ...webhookTokens(options, audiences, clock, owned)],
    openId: openId(options, keys, log),
  });
}

function webhookTokens(
  { flags }: CompletedOptions,
  audiences: readonly string[],
  clock: Clock,
  owned: AsyncDisposableStack,
): TokenAuthenticator[] {
  const file = flags['authentication-token-webhook-config-file'];
  if (file === '') return [];
  const server = loadKubeconfig(file);
  const apiVersion = tokenReviewVersion(flags['authentication-token-webhook-version']);
  const client = owned.use(new ReviewClient({ server, apiVersion, kind: 'TokenReview' }, clock));
  const ttlMs = flags['authentication-token-webhook-cache-ttl'];
  const cache = { clock, successTtlMs: ttlMs, unknownTtlMs: ttlMs };
  return [cachedTokenAuthenticator(webhookTokenAuthenticator(client, audiences), cache)];
}

function readKeys(file: string): VerificationKey[] {
  try {
    return readVerificationKeys(readPem(file));
  } catch (error) {
    throw new Error(`error parsing public key file ${JSON.stringify(file)}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** An issuer that is no https URL is allowed; then there is nothing to discover. */
function openId({ flags, advertiseAddress }: CompletedOptions, keys: readonly VerificationKey[], log: Logger): OpenIdDocuments | undefined {
  const host = flags['external-hostname'] || advertiseAddress;
  const address = `${host.includes(':') ? `[${host}]` : host}:${flags['secure-port']}`;
  try {
    return openIdDocuments(
      flags['service-account-issuer'][0] ?? '',
      flags['service-account-jwks-uri'] || `https://${address}${keySetPath}`,
      keys,
    );
  } catch (error) {
    log.warn('Unable to serve OpenID discovery documents for service account tokens', {
      error: error instanceof Error ? error.message : String(error),
    });
    return undefined;
  }
}

function* csvRecords(text: string): Generator<string[]> {
  for (const line of text.split(/\r?\n/)) if (line !== '') yield readCsvRecord(line);
}

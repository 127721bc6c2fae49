// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/authenticator/config.go, k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go
import { RestClientMetrics } from '../server/webhook/rest-client-metrics.ts';
import type { CertificatePool } from '../base/x509/certificate-pool.ts';
import type { FollowedTexts } from '../base/followed-text.ts';
import type { Logger } from '../base/log.ts';
import type { TextSource } from '../base/text-source.ts';
import { readText } from '../base/text-source.ts';
import type { ClusterAuthentication, FollowedAuthentication } from './bootstrap/cluster-authentication.ts';
import { withAnonymous } from '../server/access/authn/anonymous.ts';
import type { Authenticator } from '../server/access/authn/authenticator.ts';
import { unionAuthenticator } from '../server/access/authn/authenticator.ts';
import { bearerTokenAuthenticators } from '../server/access/authn/bearer-token.ts';
import type { AnonymousConfiguration, AuthenticationConfiguration, JwtConfiguration } from '../server/access/authn/jwt/configuration.ts';
import type { OpenIdDocuments } from '../server/routes/open-id.ts';
import { keySetPath, openIdDocuments, refuseOpenId } from '../server/routes/open-id.ts';
import type { RequestHeaderOptions } from '../server/access/authn/request-header.ts';
import { frontProxyHeaders, requestHeaderAuthenticator } from '../server/access/authn/request-header.ts';
import type { ExternalSigner } from '../server/access/authn/service-account/external-signer.ts';
import type { KeySource, VerificationKey } from '../server/access/authn/service-account/keys.ts';
import { fixedKeys } from '../server/access/authn/service-account/keys.ts';
import { LegacyTokenTracking } from '../server/access/authn/service-account/legacy-token-tracking.ts';
import { createTokens } from '../server/access/authn/service-account/tokens.ts';
import { cachedTokenAuthenticator } from '../server/access/authn/token-cache.ts';
import { tokenCacheMetrics } from '../server/access/authn/token-cache-metrics.ts';
import { readTokenFile } from '../server/access/authn/token-file.ts';
import { tokenReviewVersion, webhookTokenAuthenticator } from '../server/access/authn/webhook-token.ts';
import { readAuthorities } from '../server/access/authn/peer-certificate.ts';
import { x509Authenticator } from '../server/access/authn/x509.ts';
import { loadKubeconfig } from '../server/webhook/kubeconfig.ts';
import { ReviewClient } from '../server/webhook/review-client.ts';
import { readCsvRecord } from '../machinery/csv.ts';
import { formatDuration } from '../machinery/duration.ts';
import { certificateExpiration } from '../server/access/authn/certificate-expiration.ts';
import { tokenMetrics } from '../server/access/authn/service-account/token-metrics.ts';
import type { ServerContext } from './server-context.ts';
import { authenticationConfiguration, jwtTokens } from './jwt-tokens.ts';
import type { TokenAuthenticator, Tokens } from '../server/registry/tokens.ts';

/** Proxies that may say whom they speak for, and how they say it. */
export type FrontProxyConfig = Omit<RequestHeaderOptions, 'authorities' | 'now'> & {
  /** who vouches for them */
  readonly authorities: TextSource;
};

export interface ServiceAccountsConfig {
  /** the first signs, all are accepted */
  readonly issuers: readonly string[];
  /** PEM of what verifies tokens: public or private keys, or certificates */
  readonly keys: readonly TextSource[];
  readonly signingKey: TextSource | undefined;
  /** socket of a process that signs in place of a key of this server, and says which keys count */
  readonly signingEndpoint: string | undefined;
  /** address of the key set in the discovery document; '': at this server */
  readonly keySetUrl: string;
  /** refuse tokens whose objects are gone */
  readonly lookup: boolean;
  /** 0: no limit */
  readonly maxTokenExpirationMs: number;
  /** give mounted tokens a longer life than they asked for */
  readonly extendTokenExpiration: boolean;
}

/** How clients prove who they are. */
export interface AuthenticationConfig {
  /** let requests without credentials in, unless authorization always allows; undefined: as `configuration` has it, else yes */
  readonly anonymous: boolean | undefined;
  /** PEM of the authorities of client certificates */
  readonly clientAuthorities: TextSource | undefined;
  readonly frontProxy: FrontProxyConfig | undefined;
  /** an AuthenticationConfiguration, in place of `jwt` */
  readonly configuration: TextSource | undefined;
  readonly jwt: readonly JwtConfiguration[];
  /** that issuers in `jwt` may sign with */
  readonly signingAlgorithms: readonly string[];
  /** CSV of static bearer tokens */
  readonly tokens: TextSource | undefined;
  readonly bootstrapTokens: boolean;
  /** a kubeconfig file */
  readonly webhook: { readonly kubeconfig: string; readonly version: string; readonly cacheTtlMs: number } | undefined;
  /** of tokens that are accepted; none: the issuers of service accounts */
  readonly audiences: readonly string[];
  readonly serviceAccounts: ServiceAccountsConfig;
  /** further ways, asked before anonymity */
  readonly others: readonly Authenticator[];
}

export const authenticationDefaults: AuthenticationConfig = Object.freeze({
  anonymous: undefined,
  clientAuthorities: undefined,
  frontProxy: undefined,
  configuration: undefined,
  jwt: [],
  signingAlgorithms: ['RS256'],
  tokens: undefined,
  bootstrapTokens: false,
  webhook: undefined,
  audiences: [],
  serviceAccounts: {
    issuers: ['https://kubernetes.default.svc.cluster.local'],
    keys: [],
    signingKey: undefined,
    signingEndpoint: undefined,
    keySetUrl: '',
    lookup: true,
    maxTokenExpirationMs: 0,
    extendTokenExpiration: true,
  },
  others: [],
});

export interface Authentication {
  readonly authenticate: Authenticator;
  readonly tokens: Tokens;
  readonly legacyTracking: LegacyTokenTracking;
  /** the keys of service account tokens, for those who verify tokens themselves; undefined: the issuer has no address */
  openIdDocuments(address: string): (() => OpenIdDocuments) | undefined;
}

/** Front proxy, client certificate, bearer token, and anonymous: in upstream's order. */
export async function openAuthentication(
  config: AuthenticationConfig,
  allowsEverything: boolean,
  context: ServerContext,
): Promise<Authentication> {
  const configuration = authenticationConfiguration(config);
  const signer = await openSigner(config.serviceAccounts, context);
  const keys = signer ?? fixedKeys(config.serviceAccounts.keys.flatMap((source) => readKeys(source, context)));
  const legacyTracking = new LegacyTokenTracking(context);
  const tokens = buildTokens(config, configuration, { keys, signer }, legacyTracking, context);
  const { frontProxy, clientAuthorities } = config;
  const readsUid = context.features.enabled('AllowParsingUserUIDFromCertAuth');
  const identified = unionAuthenticator([
    ...(frontProxy === undefined ? [] : frontProxyAuthenticators(frontProxy, context)),
    ...(clientAuthorities === undefined
      ? []
      : [
          x509Authenticator({
            authorities: followedPool(clientAuthorities, context),
            now,
            readsUid,
            expiration: certificateExpiration(context.metrics),
          }),
        ]),
    ...bearerTokenAuthenticators(tokens),
    ...config.others,
  ]);
  const paths = anonymousPaths((config.anonymous ?? true) && !allowsEverything, configuration.anonymous);
  return {
    authenticate: paths === undefined ? identified : withAnonymous(identified, paths),
    tokens,
    legacyTracking,
    openIdDocuments: (address) => openId(config.serviceAccounts, keys, address, context.log),
  };
}

/** Certificates are checked in real time, as TLS does, whatever the server's clock says. */
const now = (): number => Date.now();

function frontProxyAuthenticators(config: FrontProxyConfig, context: ServerContext): Authenticator[] {
  const isIdentityHeader = frontProxyHeaders(config);
  return [
    (request) => void (request.isIdentityHeader = isIdentityHeader),
    requestHeaderAuthenticator({ ...config, authorities: followedPool(config.authorities, context), now }),
  ];
}

/** The authorities as their file has them now. */
function followedPool(source: TextSource, { texts, keyReader }: ServerContext): () => CertificatePool {
  let pool = keyReader.authorities(texts.read(source, () => void (pool = readAuthorities(texts.read(source)))));
  return () => pool;
}

/** Where requests without credentials are let in: not at all, or at these paths; none named: everywhere. */
function anonymousPaths(isOn: boolean, configured: AnonymousConfiguration | null | undefined): readonly string[] | undefined {
  if (!configured) return isOn ? [] : undefined;
  return configured.enabled === true ? (configured.conditions ?? []).map(({ path = '' }) => path) : undefined;
}

/** What other API servers of the cluster learn about this one's clients. */
export function clusterAuthentication(
  { clientAuthorities, frontProxy }: AuthenticationConfig,
  texts: FollowedTexts,
): FollowedAuthentication {
  const sources = [clientAuthorities, frontProxy?.authorities].filter((source) => source !== undefined);
  const current = (): ClusterAuthentication => ({
    clientAuthorities: clientAuthorities === undefined ? '' : texts.read(clientAuthorities),
    ...(frontProxy !== undefined && {
      frontProxy: {
        authorities: texts.read(frontProxy.authorities),
        allowedNames: frontProxy.allowedNames,
        usernameHeaders: frontProxy.userHeaders,
        uidHeaders: frontProxy.uidHeaders,
        groupHeaders: frontProxy.groupHeaders,
        extraHeaderPrefixes: frontProxy.extraPrefixes,
      },
    }),
  });
  return { current, follow: (changed) => sources.forEach((source) => texts.read(source, changed)) };
}

function buildTokens(
  config: AuthenticationConfig,
  configuration: AuthenticationConfiguration,
  { keys, signer }: { readonly keys: KeySource; readonly signer: ExternalSigner | undefined },
  legacyTracking: LegacyTokenTracking,
  context: ServerContext,
): Tokens {
  const { serviceAccounts, tokens } = config;
  const audiences = config.audiences.length > 0 ? config.audiences : serviceAccounts.issuers;
  return createTokens({
    clock: context.clock,
    metrics: tokenMetrics(context.metrics),
    cacheMetrics: tokenCacheMetrics(context.metrics),
    issuers: serviceAccounts.issuers,
    audiences,
    keys,
    signer,
    signingKey: serviceAccounts.signingKey === undefined ? undefined : context.keyReader.signingKey(readText(serviceAccounts.signingKey)),
    maxExpirationSeconds: serviceAccounts.maxTokenExpirationMs / 1000,
    extendExpiration: serviceAccounts.extendTokenExpiration,
    admissionWebhookTokens: context.features.enabled('APIServerWebhookAuthenticationToken'),
    lookup: serviceAccounts.lookup,
    legacyTracking,
    staticTokens: tokens === undefined ? undefined : readTokenFile(csvRecords(readText(tokens)), fileOf(tokens)),
    bootstrapTokens: config.bootstrapTokens,
    others: [...jwtTokens(config, configuration, audiences, context), ...webhookTokens(config, audiences, context)],
  });
}

/** Loaded only when it is asked for: gRPC is part of it. */
async function openSigner(
  { signingEndpoint, maxTokenExpirationMs }: ServiceAccountsConfig,
  { clock, log, metrics, owned }: ServerContext,
): Promise<ExternalSigner | undefined> {
  if (signingEndpoint === undefined) return undefined;
  const { ExternalSigner: Signer } = await import('../server/access/authn/service-account/external-signer.ts');
  const signer = owned.use(await Signer.open({ socketPath: signingEndpoint, clock, log, metrics }));
  const max = signer.maxTokenSeconds * 1000;
  if (maxTokenExpirationMs > max) {
    const [asked, possible] = [maxTokenExpirationMs, max].map((ms) => formatDuration(BigInt(Math.round(ms * 1e6))));
    const why = 'cannot be set longer than the token expiration supported by service-account-signing-endpoint';
    throw new Error(`service-account-max-token-expiration ${why}: ${asked} > ${possible}`);
  }
  return signer;
}

function webhookTokens(
  { webhook }: AuthenticationConfig,
  audiences: readonly string[],
  { clock, owned, egress, metrics }: ServerContext,
): TokenAuthenticator[] {
  if (webhook === undefined) return [];
  const { kubeconfig, version, cacheTtlMs } = webhook;
  const review = {
    server: { ...loadKubeconfig(kubeconfig), dial: egress.controlplane },
    apiVersion: tokenReviewVersion(version),
    kind: 'TokenReview',
    metrics: new RestClientMetrics(metrics),
  };
  const client = owned.use(new ReviewClient(review, clock));
  const cache = { clock, successTtlMs: cacheTtlMs, unknownTtlMs: cacheTtlMs, metrics: tokenCacheMetrics(metrics) };
  return [cachedTokenAuthenticator(webhookTokenAuthenticator(client, audiences), cache)];
}

function fileOf(source: TextSource): string {
  return typeof source === 'string' ? '' : source.file;
}

function readKeys(source: TextSource, { keyReader }: ServerContext): readonly VerificationKey[] {
  try {
    return keyReader.verificationKeys(readText(source));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`error parsing public key file ${JSON.stringify(fileOf(source))}: ${why}`, { cause: error });
  }
}

/** An issuer that is no https URL is allowed; then there is nothing to discover. */
function openId(
  { issuers, keySetUrl }: ServiceAccountsConfig,
  keys: KeySource,
  address: string,
  log: Logger,
): (() => OpenIdDocuments) | undefined {
  const [issuer = ''] = issuers;
  const keySetUri = keySetUrl || `https://${address}${keySetPath}`;
  let made: { readonly of: KeySource['all']; readonly documents: OpenIdDocuments } | undefined;
  try {
    refuseOpenId(issuer, keySetUri);
    return () => {
      if (made?.of !== keys.all) {
        const discoverable = keys.all.filter(({ isUndiscoverable }) => isUndiscoverable !== true);
        made = { of: keys.all, documents: openIdDocuments(issuer, keySetUri, discoverable) };
      }
      return { ...made.documents, maxAgeSeconds: keys.maxAgeSeconds };
    };
  } catch (error) {
    log.warn('Unable to serve OpenID discovery documents for service account tokens', {
      err: error,
    });
    return undefined;
  }
}

function* csvRecords(text: string): Generator<string[]> {
  for (const line of text.split(/\r?\n/)) if (line !== '') yield readCsvRecord(line);
}

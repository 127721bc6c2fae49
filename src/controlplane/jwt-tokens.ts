// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/authenticator/config.go#newJWTAuthenticator
import { isDeepStrictEqual } from 'node:util';
import type { TextSource } from '../base/text-source.ts';
import { readText } from '../base/text-source.ts';
import { FieldPath, aggregateMessage, forbidden } from '../machinery/field.ts';
import { goQuote } from '../machinery/go-format.ts';
import type { AuthenticationConfiguration, JwtConfiguration } from '../server/access/authn/jwt/configuration.ts';
import { readAuthenticationConfiguration } from '../server/access/authn/jwt/configuration.ts';
import { IssuerKeys } from '../server/access/authn/jwt/issuer-keys.ts';
import { JwtAuthenticator, signingAlgorithms } from '../server/access/authn/jwt/jwt-authenticator.ts';
import type { JwtIssuer } from '../server/access/authn/jwt/jwt-issuers.ts';
import { JwtIssuers } from '../server/access/authn/jwt/jwt-issuers.ts';
import { JwtMetrics } from '../server/access/authn/jwt/jwt-metrics.ts';
import { JwtValidation } from '../server/access/authn/jwt/validation.ts';
import { forAudiences } from '../server/access/authn/token.ts';
import type { Dial } from '../base/https/dial.ts';
import type { AuthenticationConfig } from './authentication.ts';
import type { Egress } from './egress.ts';
import { contentHash, ReloadObserver } from '../base/reload-metrics.ts';
import { serverIdOf } from './bootstrap/identity-lease.ts';
import type { ServerContext } from './server-context.ts';
import { WatchedFile } from '../base/watched-text.ts';
import type { TokenAuthenticator } from '../server/registry/tokens.ts';

/** Issuers of tokens, as the file has them or, without one, as they were given. Throws what is wrong with them. */
export function authenticationConfiguration({ configuration: source, jwt, anonymous }: AuthenticationConfig): AuthenticationConfiguration {
  const configuration = source === undefined ? { jwt } : readSource(source);
  if (configuration.anonymous && anonymous !== undefined) {
    const why = '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new Error(forbidden(FieldPath.root('anonymous'), why).toString());
  }
  const { errors } = new JwtValidation().configuration(configuration);
  if (errors.length > 0) throw new Error(`invalid authentication configuration: ${aggregateMessage(errors)}`);
  return configuration;
}

/** Tokens of the issuers that are configured; of a file, of those that it names from time to time. */
export function jwtTokens(
  config: AuthenticationConfig,
  configuration: AuthenticationConfiguration,
  audiences: readonly string[],
  context: ServerContext,
): TokenAuthenticator[] {
  const { clock, owned } = context;
  const { configuration: source } = config;
  const build = ({ jwt }: AuthenticationConfiguration): JwtIssuer[] => (jwt ?? []).map((one) => buildIssuer(one, config, context));
  const first = build(configuration);
  if (source === undefined && first.length === 0) return [];
  const issuers = owned.use(new JwtIssuers(first, clock));
  if (typeof source === 'object') owned.use(follow(source.file, configuration, context, (changed) => issuers.replace(build(changed))));
  return [forAudiences(audiences, (token) => issuers.authenticate(token))];
}

function buildIssuer(jwt: JwtConfiguration, config: AuthenticationConfig, context: ServerContext): JwtIssuer {
  const { clock, log, egress, metrics: registry } = context;
  const algorithms = config.configuration === undefined ? config.signingAlgorithms : signingAlgorithms;
  const validation = new JwtValidation();
  const expressions = validation.issuerAndClaims(jwt, (name) => FieldPath.root(name), config.serviceAccounts.issuers);
  if (validation.errors.length > 0) throw new Error(aggregateMessage(validation.errors));
  const unsupported = algorithms.find((name) => !signingAlgorithms.includes(name));
  if (unsupported !== undefined) throw new Error(`oidc: unsupported signing alg: ${goQuote(unsupported)}`);
  const { url = '', discoveryURL, certificateAuthority } = jwt.issuer ?? {};
  const metrics = new JwtMetrics(registry, url, serverIdOf(context));
  const keys = new IssuerKeys({
    onFetched: (keySet) => metrics.fetchedKeys(keySet),
    url,
    clock,
    ...(discoveryURL && { discoveryUrl: discoveryURL }),
    authorities: certificateAuthority || undefined,
    dial: egressOf(jwt.issuer?.egressSelectorType ?? '', egress),
    onFailure: (error) => log.error('oidc authenticator: initializing plugin', { err: error }),
  });
  return { url, keys, metrics, authenticator: new JwtAuthenticator({ configuration: jwt, expressions, keys, algorithms, clock }) };
}

/** Stricter than for others, as in upstream: an issuer that names a way wants no other. */
function egressOf(type: string, egress: Egress): Dial | undefined {
  if (type === '') return undefined;
  if (Object.keys(egress).length === 0) throw new Error(`oidc: egress lookup required with egress selector type ${goQuote(type)}`);
  if (!Object.hasOwn(egress, type)) throw new Error(`oidc: egress lookup for ${goQuote(type)} is not configured`);
  return egress[type as keyof Egress];
}

/** Who may come without credentials stays what it was when the server started. */
function follow(
  file: string,
  initial: AuthenticationConfiguration,
  context: ServerContext,
  replace: (changed: AuthenticationConfiguration) => Promise<void>,
): WatchedFile {
  const { clock, log, metrics } = context;
  const observer = new ReloadObserver(metrics, { of: 'authentication', serverId: serverIdOf(context) });
  const initialText = readText({ file });
  observer.inForce(contentHash(initialText));
  const onChange = async (text: string): Promise<void> => {
    const changed = readAuthenticationConfiguration(text);
    const { errors } = new JwtValidation().configuration(changed);
    if (!isDeepStrictEqual(changed.anonymous, initial.anonymous)) {
      errors.push(forbidden(FieldPath.root('anonymous'), 'changed from initial configuration file'));
    }
    if (errors.length > 0) throw new Error(aggregateMessage(errors));
    await replace(changed);
    observer.reloaded(contentHash(text));
    log.info('reloaded authentication config');
  };
  const onError = (error: Error): void => {
    observer.failed();
    log.error('failed to load authentication config', { err: error });
  };
  return new WatchedFile({ file, text: initialText, clock, onChange, onError });
}

function readSource(source: TextSource): AuthenticationConfiguration {
  try {
    return readAuthenticationConfiguration(readText(source));
  } catch (error) {
    const place = typeof source === 'string' ? '' : ` from file ${goQuote(source.file)}`;
    throw new Error(`failed to load authentication configuration${place}: ${(error as Error).message}`, { cause: error });
  }
}

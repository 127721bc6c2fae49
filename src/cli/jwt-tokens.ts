// Upstream: pkg/kubeapiserver/options/authentication.go (ToAuthenticationConfig), pkg/kubeapiserver/authenticator/config.go (newJWTAuthenticator)
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { FieldPath, aggregateMessage, forbidden } from '../machinery/field.ts';
import { goQuote } from '../machinery/go-format.ts';
import type { AnonymousConfiguration, AuthenticationConfiguration, JwtConfiguration } from '../server/access/authn/jwt/configuration.ts';
import { readAuthenticationConfiguration } from '../server/access/authn/jwt/configuration.ts';
import { IssuerKeys } from '../server/access/authn/jwt/issuer-keys.ts';
import { JwtAuthenticator, signingAlgorithms } from '../server/access/authn/jwt/jwt-authenticator.ts';
import type { JwtIssuer } from '../server/access/authn/jwt/jwt-issuers.ts';
import { JwtIssuers } from '../server/access/authn/jwt/jwt-issuers.ts';
import { JwtValidation } from '../server/access/authn/jwt/validation.ts';
import { forAudiences } from '../server/access/authn/token.ts';
import type { CompletedOptions } from './complete-options.ts';
import type { ServerOptions } from './flags/index.ts';
import { readPem } from './serving-certificate.ts';
import { WatchedFile } from '../base/watched-text.ts';
import type { TokenAuthenticator } from '../server/registry/tokens.ts';

/** What --authentication-config says, or the --oidc-* flags in its stead. Throws what is wrong with it. */
export function authenticationConfiguration({ flags, changed }: CompletedOptions): AuthenticationConfiguration {
  const file = flags['authentication-config'];
  const configuration = file === '' ? { jwt: jwtOfFlags(flags) } : readFile(file);
  if (configuration.anonymous && changed.has('anonymous-auth')) {
    const why = '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new Error(forbidden(FieldPath.root('anonymous'), why).toString());
  }
  const { errors } = new JwtValidation().configuration(configuration);
  if (errors.length > 0) throw new Error(`invalid authentication configuration: ${aggregateMessage(errors)}`);
  return configuration;
}

/** Where requests without credentials are let in: not at all, or at these paths; none named: everywhere. */
export function anonymousPaths(
  { anonymous: isOn }: CompletedOptions,
  anonymous: AnonymousConfiguration | null | undefined,
): readonly string[] | undefined {
  if (!anonymous) return isOn ? [] : undefined;
  return anonymous.enabled === true ? (anonymous.conditions ?? []).map(({ path = '' }) => path) : undefined;
}

/** Tokens of the issuers that are configured, closed with `owned`; of a file, of those that it names from time to time. */
export function jwtTokens(
  options: CompletedOptions,
  configuration: AuthenticationConfiguration,
  audiences: readonly string[],
  clock: Clock,
  log: Logger,
  owned: AsyncDisposableStack,
): TokenAuthenticator[] {
  const file = options.flags['authentication-config'];
  const build = ({ jwt }: AuthenticationConfiguration): JwtIssuer[] =>
    (jwt ?? []).map((one) => buildIssuer(one, options.flags, clock, log));
  const first = build(configuration);
  if (file === '' && first.length === 0) return [];
  const issuers = owned.use(new JwtIssuers(first, clock));
  if (file !== '') owned.use(follow(file, configuration, clock, log, (changed) => issuers.replace(build(changed))));
  return [forAudiences(audiences, (token) => issuers.authenticate(token))];
}

function buildIssuer(configuration: JwtConfiguration, flags: ServerOptions, clock: Clock, log: Logger): JwtIssuer {
  const algorithms = flags['authentication-config'] === '' ? flags['oidc-signing-algs'] : signingAlgorithms;
  const validation = new JwtValidation();
  const expressions = validation.issuerAndClaims(configuration, (name) => FieldPath.root(name), flags['service-account-issuer']);
  if (validation.errors.length > 0) throw new Error(aggregateMessage(validation.errors));
  const unsupported = algorithms.find((name) => !signingAlgorithms.includes(name));
  if (unsupported !== undefined) throw new Error(`oidc: unsupported signing alg: ${goQuote(unsupported)}`);
  const { url = '', discoveryURL, certificateAuthority } = configuration.issuer ?? {};
  const keys = new IssuerKeys({
    url,
    clock,
    ...(discoveryURL && { discoveryUrl: discoveryURL }),
    authorities: certificateAuthority || undefined,
    onFailure: (error) => log.error('oidc authenticator: initializing plugin', { err: error }),
  });
  return { url, keys, authenticator: new JwtAuthenticator({ configuration, expressions, keys, algorithms, clock }) };
}

/** Who may come without credentials stays what it was when the server started. */
function follow(
  file: string,
  initial: AuthenticationConfiguration,
  clock: Clock,
  log: Logger,
  replace: (changed: AuthenticationConfiguration) => Promise<void>,
): WatchedFile {
  const onChange = async (text: string): Promise<void> => {
    const changed = readAuthenticationConfiguration(text);
    const { errors } = new JwtValidation().configuration(changed);
    if (!isDeepStrictEqual(changed.anonymous, initial.anonymous)) {
      errors.push(forbidden(FieldPath.root('anonymous'), 'changed from initial configuration file'));
    }
    if (errors.length > 0) throw new Error(aggregateMessage(errors));
    await replace(changed);
    log.info('reloaded authentication config');
  };
  const onError = (error: Error): void => log.error('failed to load authentication config', { err: error });
  return new WatchedFile({ file, text: readPem(file), clock, onChange, onError });
}

function readFile(file: string): AuthenticationConfiguration {
  try {
    return readAuthenticationConfiguration(readPem(file));
  } catch (error) {
    throw new Error(`failed to load authentication configuration from file ${goQuote(file)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function jwtOfFlags(flags: ServerOptions): JwtConfiguration[] {
  const [url, clientId, groupsClaim, authorityFile] = [
    flags['oidc-issuer-url'],
    flags['oidc-client-id'],
    flags['oidc-groups-claim'],
    flags['oidc-ca-file'],
  ];
  if (url === '' || clientId === '') return [];
  return [
    {
      issuer: { url, audiences: [clientId], ...(authorityFile !== '' && { certificateAuthority: readPem(authorityFile) }) },
      claimMappings: {
        username: { claim: flags['oidc-username-claim'], prefix: usernamePrefix(flags) },
        ...(groupsClaim !== '' && { groups: { claim: groupsClaim, prefix: flags['oidc-groups-prefix'] } }),
      },
      claimValidationRules: Array.from(flags['oidc-required-claim'], ([claim, requiredValue]) => ({ claim, requiredValue })),
    },
  ];
}

/** Names of an issuer's users start with its URL, unless they are mail addresses or the flag says otherwise. */
function usernamePrefix(flags: ServerOptions): string {
  const prefix = flags['oidc-username-prefix'];
  if (prefix === '-') return '';
  return prefix === '' && flags['oidc-username-claim'] !== 'email' ? `${flags['oidc-issuer-url']}#` : prefix;
}

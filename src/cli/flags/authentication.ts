import type { TextSource } from '../../base/text-source.ts';
import { readText } from '../../base/text-source.ts';
import type { GivenConfig } from '../../controlplane/config.ts';
import type { JwtConfiguration } from '../../server/access/authn/jwt/configuration.ts';
import type { FlagValues } from './flag.ts';
import { flagGroup } from './flag.ts';
import { bool, duration, singlePairs, string, stringArray, strings } from './flag-kinds.ts';

export const authenticationFlags = flagGroup('Authentication', {
  'anonymous-auth': bool(true, 'let requests without credentials in as system:anonymous'),
  'api-audiences': strings('audiences of tokens that this server accepts; by default the issuers'),
  'authentication-config': string('', 'file that configures JWT and anonymous authentication'),
  'authentication-token-webhook-cache-ttl': duration('2m', "how long the token webhook's answers are kept"),
  'authentication-token-webhook-config-file': string('', 'kubeconfig of the webhook that knows bearer tokens'),
  'authentication-token-webhook-version': string('v1beta1', 'version of TokenReview sent to the webhook'),
  'client-ca-file': string('', 'authorities of client certificates: common name is the user, organizations are groups'),
  'enable-bootstrap-token-auth': bool(false, 'accept bootstrap tokens from secrets in kube-system'),
  'oidc-ca-file': string('', "authorities of the OpenID issuer's certificate"),
  'oidc-client-id': string('', 'audience of ID tokens'),
  'oidc-groups-claim': string('', 'claim that lists groups'),
  'oidc-groups-prefix': string('', 'put before groups from the claim'),
  'oidc-issuer-url': string('', 'OpenID issuer, https only'),
  'oidc-required-claim': singlePairs('claim=value that ID tokens must have; may be repeated'),
  'oidc-signing-algs': strings('signature algorithms that are accepted', ['RS256']),
  'oidc-username-claim': string('sub', 'claim that names the user'),
  'oidc-username-prefix': string('', 'put before user names from the claim; - for nothing'),
  'requestheader-allowed-names': strings('common names of front proxies; any if empty'),
  'requestheader-client-ca-file': string('', 'authorities of front proxies that may name users in headers'),
  'requestheader-extra-headers-prefix': strings('prefixes of headers with extra attributes, such as X-Remote-Extra-'),
  'requestheader-group-headers': strings('headers with groups, such as X-Remote-Group'),
  'requestheader-uid-headers': strings('headers with the UID, such as X-Remote-Uid'),
  'requestheader-username-headers': strings('headers with the user name, such as X-Remote-User'),
  'service-account-extend-token-expiration': bool(true, 'give mounted tokens a longer life than asked'),
  'service-account-issuer': stringArray('issuer of service account tokens; the first signs, further ones are accepted'),
  'service-account-jwks-uri': string('', 'address of the key set in the discovery document'),
  'service-account-key-file': stringArray(
    'keys that verify service account tokens: PEM, public or private, or certificates; may be repeated',
  ),
  'service-account-lookup': bool(true, 'refuse tokens whose objects are gone'),
  'service-account-max-token-expiration': duration('0s', 'longest life of a token'),
  'token-auth-file': string('', 'CSV file of static bearer tokens'),
});

type Flags = FlagValues<typeof authenticationFlags.flags>;

const textOf = (file: string): TextSource | undefined => (file === '' ? undefined : { file });

/** `signing`: flags of another group. */
export function authenticationConfig(
  flags: Flags,
  changed: ReadonlySet<string>,
  signing: { readonly keyFile: string; readonly endpoint: string },
): GivenConfig {
  const [proxies, webhook] = [flags['requestheader-client-ca-file'], flags['authentication-token-webhook-config-file']];
  return {
    authentication: {
      anonymous: changed.has('anonymous-auth') ? flags['anonymous-auth'] : undefined,
      clientAuthorities: textOf(flags['client-ca-file']),
      frontProxy:
        proxies === ''
          ? undefined
          : {
              authorities: { file: proxies },
              allowedNames: flags['requestheader-allowed-names'],
              userHeaders: flags['requestheader-username-headers'],
              uidHeaders: flags['requestheader-uid-headers'],
              groupHeaders: flags['requestheader-group-headers'],
              extraPrefixes: flags['requestheader-extra-headers-prefix'],
            },
      configuration: textOf(flags['authentication-config']),
      jwt: jwtOfFlags(flags),
      signingAlgorithms: flags['oidc-signing-algs'],
      tokens: textOf(flags['token-auth-file']),
      bootstrapTokens: flags['enable-bootstrap-token-auth'],
      webhook:
        webhook === ''
          ? undefined
          : {
              kubeconfig: webhook,
              version: flags['authentication-token-webhook-version'],
              cacheTtlMs: flags['authentication-token-webhook-cache-ttl'],
            },
      audiences: flags['api-audiences'],
      serviceAccounts: {
        issuers: flags['service-account-issuer'],
        keys: flags['service-account-key-file'].map((file) => ({ file })),
        signingKey: textOf(signing.keyFile),
        signingEndpoint: signing.endpoint || undefined,
        keySetUrl: flags['service-account-jwks-uri'],
        lookup: flags['service-account-lookup'],
        maxTokenExpirationMs: flags['service-account-max-token-expiration'],
        extendTokenExpiration: flags['service-account-extend-token-expiration'],
      },
    },
  };
}

function jwtOfFlags(flags: Flags): JwtConfiguration[] {
  const [url, clientId, groupsClaim, authorityFile] = [
    flags['oidc-issuer-url'],
    flags['oidc-client-id'],
    flags['oidc-groups-claim'],
    flags['oidc-ca-file'],
  ];
  if (url === '' || clientId === '') return [];
  return [
    {
      issuer: { url, audiences: [clientId], ...(authorityFile !== '' && { certificateAuthority: readText({ file: authorityFile }) }) },
      claimMappings: {
        username: { claim: flags['oidc-username-claim'], prefix: usernamePrefix(flags) },
        ...(groupsClaim !== '' && { groups: { claim: groupsClaim, prefix: flags['oidc-groups-prefix'] } }),
      },
      claimValidationRules: Array.from(flags['oidc-required-claim'], ([claim, requiredValue]) => ({ claim, requiredValue })),
    },
  ];
}

/** Names of an issuer's users start with its URL, unless they are mail addresses or the flag says otherwise. */
function usernamePrefix(flags: Flags): string {
  const prefix = flags['oidc-username-prefix'];
  if (prefix === '-') return '';
  return prefix === '' && flags['oidc-username-claim'] !== 'email' ? `${flags['oidc-issuer-url']}#` : prefix;
}

import type { BoundTokenRequest } from './service-account/bound-token.ts';
import type { TokenAuthenticator } from './token.ts';

/** What a server does with bearer tokens: it knows them, and issues those of service accounts. */
export interface Tokens {
  /** audiences of this server */
  readonly audiences: readonly string[];
  /** every kind of bearer token that the server takes */
  readonly authenticate: TokenAuthenticator;
  /** undefined: this server signs no tokens */
  readonly issuer?: TokenIssuer | undefined;
  /** what others need to verify the tokens; undefined when the issuer is no https URL */
  readonly openId?: OpenIdDocuments | undefined;
}

export interface TokenIssuer {
  issue(request: BoundTokenRequest): string;
  /** 0: no limit */
  readonly maxExpirationSeconds: number;
  /** tokens that kubelets mount live longer than asked, for clients that never read them again */
  readonly extendExpiration: boolean;
  readonly maxExtendedExpirationSeconds: number;
}

export interface OpenIdDocuments {
  readonly configuration: Buffer;
  readonly keySet: Buffer;
}

// Upstream: k8s.io/apiserver/pkg/authentication/authenticator/interfaces.go
import type { UserInfo } from '../request/user.ts';
import type { ObjectReader } from './object-reader.ts';

/** What a server does with bearer tokens: it knows them, and issues those of service accounts. */
export interface Tokens {
  /** audiences of this server */
  readonly audiences: readonly string[];
  /** every kind of bearer token that the server takes */
  readonly authenticate: TokenAuthenticator;
  /** undefined: this server signs no tokens */
  readonly issuer?: TokenIssuer | undefined;
}

export interface TokenIssuer {
  issue(request: BoundTokenRequest): string | Promise<string>;
  /** 0: no limit */
  readonly maxExpirationSeconds: number;
  /** tokens that kubelets mount live longer than asked, for clients that never read them again */
  readonly extendExpiration: boolean;
  readonly maxExtendedExpirationSeconds: number;
  /** undefined: another program signs, which issues only tokens that expire */
  readonly issueForSecret?: SecretTokenSigner | undefined;
}

/** Signs a token that lives in a secret and never expires. */
export type SecretTokenSigner = (request: SecretTokenRequest) => string;

export interface SecretTokenRequest {
  readonly namespace: string;
  readonly account: ObjectReference;
  readonly secretName: string;
}

/** What a token is issued for. */
export interface BoundTokenRequest {
  readonly namespace: string;
  readonly account: ObjectReference;
  readonly audiences: readonly string[];
  readonly pod?: ObjectReference | undefined;
  readonly secret?: ObjectReference | undefined;
  /** with a pod: where it runs; without: what the token is bound to */
  readonly node?: ObjectReference | undefined;
  readonly validatingWebhookConfiguration?: ObjectReference | undefined;
  readonly mutatingWebhookConfiguration?: ObjectReference | undefined;
  /** what the token is proof of, beside its account */
  readonly attestations?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly expirationSeconds: number;
  /** seconds after which use is suspicious though allowed; 0: never */
  readonly warnAfterSeconds: number;
}

export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

/** Who a bearer token stands for, and for which of the wanted audiences. */
export interface TokenHolder {
  readonly user: UserInfo;
  /** undefined: no audiences were asked for */
  readonly audiences: readonly string[] | undefined;
  /** for the client that uses it */
  readonly warnings?: readonly string[];
}

/** Undefined: no token of this kind; throws when it is one and it is wrong. `audiences` undefined: those of this server. */
export type TokenAuthenticator = (
  token: string,
  audiences: readonly string[] | undefined,
  reader: ObjectReader,
) => TokenHolder | undefined | Promise<TokenHolder | undefined>;

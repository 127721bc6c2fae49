// Upstream: k8s.io/kubernetes/pkg/serviceaccount/jwt.go
import type { KeyObject } from 'node:crypto';
import { sign, verify } from 'node:crypto';
import { intersect } from '../token.ts';
import type { ObjectReader } from '../../../registry/object-reader.ts';
import type { KeySource, SignatureAlgorithm, SigningKey, VerificationKey } from './keys.ts';
import type { TokenAuthenticator, TokenHolder } from '../../../registry/tokens.ts';

/** Claims of a token; times are seconds since the epoch. */
export interface Claims {
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly iss?: string;
  readonly jti?: string;
  readonly nbf?: number;
  readonly sub?: string;
  readonly [claim: string]: unknown;
}

/** What the claims of a token with a good signature and issuer must hold besides; throws when they do not. */
export type ClaimsValidator = (claims: Claims, token: string, reader: ObjectReader) => Promise<Omit<TokenHolder, 'audiences'>>;

export interface JwtAuthenticatorOptions {
  readonly issuers: readonly string[];
  readonly keys: KeySource;
  /** audiences of this server: what tokens without any are good for */
  readonly audiences: readonly string[];
  readonly validate: ClaimsValidator;
}

const digests: Readonly<Record<SignatureAlgorithm, string>> = { RS256: 'sha256', ES256: 'sha256', ES384: 'sha384', ES512: 'sha512' };

/** Members are written in alphabetical order, as upstream does. */
export function signJwt({ id, algorithm, privateKey }: SigningKey, claims: Claims): string {
  const text = `${encode({ alg: algorithm, kid: id })}.${encode(claims)}`;
  return `${text}.${sign(digests[algorithm], Buffer.from(text), keyOptions(privateKey)).toString('base64url')}`;
}

export function jwtAuthenticator({ issuers, keys, audiences, validate }: JwtAuthenticatorOptions): TokenAuthenticator {
  return async (token, wanted, reader) => {
    const parsed = parseJwt(token);
    if (parsed === undefined || !issuers.includes(parsed.claims.iss ?? '')) return undefined;
    const { header, claims } = parsed;
    const candidates = await keys.find(header.kid);
    if (candidates.length === 0) throw new Error('invalid signature, no keys found');
    if (!candidates.some((key) => isSigned(token, header.alg, key))) {
      throw new Error('go-jose/go-jose: error in cryptographic primitive');
    }
    const stated = typeof claims.aud === 'string' ? [claims.aud] : (claims.aud ?? []);
    const tokenAudiences = stated.length === 0 ? audiences : stated;
    const target = wanted ?? audiences;
    const shared = intersect(tokenAudiences, target);
    if (shared.length === 0 && audiences.length > 0) {
      throw new Error(`token audiences ${quoted(tokenAudiences)} is invalid for the target audiences ${quoted(target)}`);
    }
    return { ...(await validate(claims, token, reader)), audiences: shared };
  };
}

const compactForm = /^[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/;

/** Header and claims, unverified; undefined when the text is no token. */
export function parseJwt(token: string): { header: { alg: string; kid: string }; claims: Claims } | undefined {
  // What node would skip over in base64, Go refuses: a token is written in one way only.
  if (!compactForm.test(token)) return undefined;
  const parts = token.split('.');
  const header = decode(parts[0] as string);
  const claims = decode(parts[1] as string);
  if (header === undefined || claims === undefined) return undefined;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { header: { alg: text(header['alg']), kid: text(header['kid']) }, claims };
}

function isSigned(token: string, algorithm: string, { algorithm: expected, key }: VerificationKey): boolean {
  // The key decides how a signature is checked, never the token.
  if (algorithm !== expected) return false;
  const dot = token.lastIndexOf('.');
  return verify(digests[expected], Buffer.from(token.slice(0, dot)), keyOptions(key), Buffer.from(token.slice(dot + 1), 'base64url'));
}

function keyOptions(key: KeyObject): { key: KeyObject; dsaEncoding?: 'ieee-p1363' } {
  return key.asymmetricKeyType === 'ec' ? { key, dsaEncoding: 'ieee-p1363' } : { key };
}

export function encodeClaims(claims: Claims): string {
  return encode(claims);
}

function encode(members: object): string {
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // whatever it is, it is no token of ours
  }
}

function quoted(audiences: readonly string[]): string {
  return `[${audiences.map((one) => JSON.stringify(one)).join(' ')}]`;
}

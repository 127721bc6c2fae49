// Upstream: k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/oidc.go, github.com/coreos/go-oidc/verify.go
import type { Clock } from '../../../../base/clock.ts';
import type { Steps } from '../../../../base/steps.ts';
import { stepByStep } from '../../../../base/steps.ts';
import { goQuote } from '../../../../machinery/go-format.ts';
import type { Claims } from '../service-account/jwt.ts';
import { parseJwt } from '../service-account/jwt.ts';
import type { UserInfo } from '../../../request/user.ts';
import { credentialIdKey } from '../../../request/user.ts';
import { claimsValue, evaluateExpression, textsOf, userValue } from './claim-expressions.ts';
import type { JwtExpression } from './claim-expressions.ts';
import { claimOf, requireRegisteredTypes, textClaim, textsClaim } from './claims.ts';
import type { JwtConfiguration } from './configuration.ts';
import { DistributedClaims } from './distributed-claims.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { JwtExpressions } from './validation.ts';

export const signingAlgorithms: readonly string[] = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

const notBeforeLeewayMs = 60_000;
const google = 'accounts.google.com';

export interface JwtAuthenticatorOptions {
  readonly configuration: JwtConfiguration;
  readonly expressions: JwtExpressions;
  readonly keys: IssuerKeys;
  readonly algorithms: readonly string[];
  readonly clock: Clock;
}

/** Knows who a token of one issuer stands for. */
export class JwtAuthenticator implements Disposable {
  readonly #options: JwtAuthenticatorOptions;
  /** undefined: no claim for groups is asked for */
  readonly #distributed: DistributedClaims | undefined;
  readonly #issuer: string;

  constructor(options: JwtAuthenticatorOptions) {
    this.#options = options;
    this.#issuer = options.configuration.issuer?.url ?? '';
    const { claim = '' } = options.configuration.claimMappings?.groups ?? {};
    const verify = (token: string, keys: IssuerKeys): Promise<Claims> => this.#verified(token, keys);
    this.#distributed = claim === '' ? undefined : new DistributedClaims({ claim, keys: options.keys, verify });
  }

  /** undefined: the token is of another issuer. */
  async authenticate(token: string): Promise<UserInfo | undefined> {
    const parsed = parseJwt(token);
    const issuer = parsed?.claims.iss === google ? `https://${google}` : parsed?.claims.iss;
    if (parsed === undefined || issuer !== this.#issuer) return undefined;
    const { keys } = this.#options;
    if (!keys.isReady) throw new Error('oidc: authenticator not initialized');
    const claims = await this.#verified(token, keys).catch(failing('verify token'));
    const expanded = await (this.#distributed?.expanded(claims).catch(failing('could not expand distributed claims')) ?? claims);
    return stepByStep(this.#userOf(expanded));
  }

  [Symbol.dispose](): void {
    this.#distributed?.[Symbol.dispose]();
  }

  /** The claims of a token that is signed by one of the keys, for this server, and not expired. */
  async #verified(token: string, keys: IssuerKeys): Promise<Claims> {
    const parsed = parseJwt(token);
    if (parsed === undefined) throw new Error('oidc: malformed jwt');
    await this.#verifySignature(token, parsed.header, keys);
    requireRegisteredTypes(parsed.claims);
    this.#requireAudience(parsed.claims);
    this.#requireTime(parsed.claims);
    return parsed.claims;
  }

  async #verifySignature(token: string, { alg, kid }: { readonly alg: string; readonly kid: string }, keys: IssuerKeys): Promise<void> {
    const { algorithms } = this.#options;
    if (!algorithms.includes(alg)) {
      throw new Error(`oidc: id token signed with unsupported algorithm, expected ${quoted(algorithms)} got ${goQuote(alg)}`);
    }
    await keys.verify(token, alg, kid);
  }

  #requireAudience({ aud }: Claims): void {
    const wanted = this.#options.configuration.issuer?.audiences ?? [];
    const stated = typeof aud === 'string' ? [aud] : (aud ?? []);
    if (stated.some((one) => wanted.includes(one))) return;
    const [only = '', ...more] = wanted;
    throw new Error(
      more.length === 0
        ? `oidc: expected audience ${goQuote(only)} got ${quoted(stated)}`
        : `oidc: expected audience in ${quoted(wanted.toSorted())} got ${quoted(stated)}`,
    );
  }

  #requireTime({ exp, nbf }: Claims): void {
    const now = this.#options.clock.now();
    if (exp === undefined || exp * 1000 < now) {
      throw new Error(`oidc: token is expired (Token Expiry: ${exp === undefined ? '0001-01-01 00:00:00 +0000 UTC' : goTime(exp * 1000)})`);
    }
    if (nbf !== undefined && now + notBeforeLeewayMs < nbf * 1000) {
      throw new Error(`oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(nbf * 1000)}`);
    }
  }

  *#userOf(claims: Claims): Steps<UserInfo> {
    const { configuration, expressions } = this.#options;
    const name = yield* this.#username(claims);
    const groups = yield* this.#groups(claims);
    const user = { name, groups, uid: yield* this.#uid(claims), extra: yield* this.#extra(claims) };
    for (const { claim = '', requiredValue = '' } of configuration.claimValidationRules ?? []) {
      if (claim !== '') requireClaim(claims, claim, requiredValue);
    }
    const evaluating = (what: string, check: Steps<void>): Steps<void> => wrappedSteps(`oidc: error evaluating ${what}`, check);
    yield* evaluating(
      'claim validation expression',
      requireRules(expressions.claimRules, () => claimsValue(claims)),
    );
    yield* evaluating(
      'user info validation rule',
      requireRules(expressions.userRules, () => userValue(user)),
    );
    return user;
  }

  *#username(claims: Claims): Steps<string> {
    const { configuration, expressions } = this.#options;
    if (expressions.username !== undefined) {
      const name = yield* textOf(expressions.username, claims, 'username');
      if (name === '') throw new Error('oidc: empty username via CEL expression is not allowed');
      return name;
    }
    const { claim = '', prefix = '' } = configuration.claimMappings?.username ?? {};
    const name = wrapped(`oidc: parse username claims ${goQuote(claim)}`, () => textClaim(claims, claim));
    if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
      const isVerified = wrapped("oidc: parse 'email_verified' claim", () => claimOf(claims, 'email_verified', 'bool'));
      if (isVerified !== true) throw new Error('oidc: email not verified');
    }
    return prefix + name;
  }

  *#groups(claims: Claims): Steps<string[]> {
    const { configuration, expressions } = this.#options;
    const { claim = '', prefix = '' } = configuration.claimMappings?.groups ?? {};
    if (claim !== '' && Object.hasOwn(claims, claim)) {
      return wrapped(`oidc: parse groups claim ${goQuote(claim)}`, () => textsClaim(claims, claim)).map((group) => prefix + group);
    }
    const { groups } = expressions;
    if (groups === undefined) return [];
    return yield* wrappedSteps(
      'oidc: error evaluating group claim expression',
      (function* () {
        return textsOf(yield* evaluateExpression(groups, claimsValue(claims)));
      })(),
    );
  }

  *#uid(claims: Claims): Steps<string> {
    const { configuration, expressions } = this.#options;
    const { claim = '' } = configuration.claimMappings?.uid ?? {};
    if (claim !== '') return wrapped(`oidc: parse uid claim ${goQuote(claim)}`, () => textClaim(claims, claim));
    return expressions.uid === undefined ? '' : yield* textOf(expressions.uid, claims, 'uid');
  }

  *#extra(claims: Claims): Steps<Record<string, string[]>> {
    const extra: Record<string, string[]> = {};
    if (typeof claims.jti === 'string' && claims.jti !== '') extra[credentialIdKey] = [`JTI=${claims.jti}`];
    for (const { key, value } of this.#options.expressions.extra) {
      const result = yield* evaluateExpression(value, claimsValue(claims));
      const texts = wrapped(`oidc: error evaluating extra claim expression: ${value.expression}`, () => textsOf(result));
      if (texts.length > 0) extra[key] = texts;
    }
    return extra;
  }
}

function* textOf(expression: JwtExpression, claims: Claims, what: string): Steps<string> {
  const failed = `oidc: error evaluating ${what} claim expression`;
  const value = yield* wrappedSteps(failed, evaluateExpression(expression, claimsValue(claims)));
  if (typeof value !== 'string') throw new Error(`${failed}: ${what} claim expression must return a string`);
  return value;
}

function requireClaim(claims: Claims, claim: string, wanted: string): void {
  if (!Object.hasOwn(claims, claim)) throw new Error(`oidc: required claim ${claim} not present in ID token`);
  const actual = wrapped(`oidc: parse claim ${claim}`, () => textClaim(claims, claim));
  if (actual !== wanted) throw new Error(`oidc: required claim ${claim} value does not match. Got = ${actual}, want = ${wanted}`);
}

/** All are evaluated before a failure is returned. */
function* requireRules(rules: JwtExpressions['claimRules'], value: () => ReturnType<typeof claimsValue>): Steps<void> {
  if (rules.length === 0) return;
  const input = value();
  const results: unknown[] = [];
  for (const { rule } of rules) results.push(yield* evaluateExpression(rule, input));
  const failed = rules[results.indexOf(false)];
  if (failed !== undefined) throw new Error(`validation expression '${failed.rule.expression}' failed: ${failed.message}`);
}

function failing(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`oidc: ${what}: ${(error as Error).message}`, { cause: error });
  };
}

function wrapped<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

function* wrappedSteps<T>(what: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

function goTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

// Upstream: k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/oidc.go#claimResolver
import { goQuote } from '../../../../machinery/go-format.ts';
import type { Claims } from '../service-account/jwt.ts';
import { parseJwt } from '../service-account/jwt.ts';
import type { IssuerKeys } from './issuer-keys.ts';

export interface DistributedClaimsOptions {
  /** the claim that may be at another server */
  readonly claim: string;
  /** of the issuer of tokens: other servers are reached as it is */
  readonly keys: IssuerKeys;
  /** The claims of a token that is signed by these keys, for this server, and not expired. */
  readonly verify: (token: string, keys: IssuerKeys) => Promise<Claims>;
}

interface Source {
  readonly endpoint?: string;
  readonly access_token?: string;
}

const google = 'accounts.google.com';
/** servers of claims sign by themselves: there are few of them */
const maxIssuers = 32;

/** Finds a claim that a token names a server for, as OpenID Connect Core 5.6.2 has it. */
export class DistributedClaims implements Disposable {
  readonly #options: DistributedClaimsOptions;
  readonly #issuers = new Map<string, { readonly keys: IssuerKeys; readonly asked: Promise<void> }>();

  constructor(options: DistributedClaimsOptions) {
    this.#options = options;
  }

  [Symbol.dispose](): void {
    for (const { keys } of this.#issuers.values()) keys[Symbol.dispose]();
    this.#issuers.clear();
  }

  /** The claims, and among them the one that is elsewhere. */
  async expanded(claims: Claims): Promise<Claims> {
    const { claim } = this.#options;
    if (Object.hasOwn(claims, claim) || !Object.hasOwn(claims, '_claim_names')) return claims;
    const names = objectOf(claims['_claim_names'], 'oidc: error parsing distributed claim names', 'map[string]string');
    if (!Object.hasOwn(claims, '_claim_sources')) throw new Error('oidc: no claim sources');
    const sources = objectOf(claims['_claim_sources'], 'oidc: could not parse claim sources', 'map[string]oidc.endpoint');
    if (!Object.hasOwn(names, claim)) return claims;
    const name = String(names[claim]);
    if (!Object.hasOwn(sources, name)) throw new Error(`id token _claim_names contained a source ${name} missing in _claims_sources`);
    const source = objectOf(sources[name], 'oidc: could not parse claim sources', 'oidc.endpoint') as Source;
    // Without one the claim may be in a token beside it, which upstream does not read either.
    if (!source.endpoint) return claims;
    return { ...claims, [claim]: await this.#resolve(source.endpoint, source.access_token ?? '') };
  }

  async #resolve(endpoint: string, accessToken: string): Promise<unknown> {
    const { claim, verify } = this.#options;
    const token = await this.#fetch(endpoint, accessToken).catch(failing(`while getting distributed claim ${goQuote(claim)}`));
    const iss = parseJwt(token)?.claims.iss;
    if (iss === undefined)
      throw new Error(`getting untrusted issuer from endpoint ${endpoint} failed for claim ${goQuote(claim)}: malformed token`);
    const issuer = iss === google ? `https://${google}` : iss;
    const keys = await this.#keysOf(issuer);
    if (!keys.isReady)
      throw new Error(`verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${goQuote(issuer)}`);
    const claims = await verify(token, keys).catch(failing('verify distributed claim token'));
    if (!Object.hasOwn(claims, claim))
      throw new Error(`jwt returned by distributed claim endpoint ${goQuote(endpoint)} did not contain claim: ${claim}`);
    return claims[claim];
  }

  async #fetch(endpoint: string, accessToken: string): Promise<string> {
    const headers: Record<string, string> = accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };
    const { status, body } = await this.#options.keys.get(endpoint, headers);
    if (status < 200 || status > 226)
      throw new Error(`error while getting distributed claim JWT: ${status} ${statusText(status)}`.trimEnd());
    return body.toString();
  }

  /** An issuer is asked for its keys once; later until it responds, while tokens are refused. */
  async #keysOf(issuer: string): Promise<IssuerKeys> {
    let known = this.#issuers.get(issuer);
    if (known === undefined) {
      const keys = this.#options.keys.ofIssuer(issuer);
      this.#issuers.set(issuer, (known = { keys, asked: keys.discover() }));
      const [oldest] = this.#issuers.keys();
      if (this.#issuers.size > maxIssuers && oldest !== undefined) {
        this.#issuers.get(oldest)?.keys[Symbol.dispose]();
        this.#issuers.delete(oldest);
      }
    }
    await known.asked;
    return known.keys;
  }
}

function objectOf(value: unknown, what: string, goType: string): Readonly<Record<string, unknown>> {
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw new Error(`${what}: json: cannot unmarshal ${type} into Go value of type ${goType}`);
}

function failing(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  };
}

/** Not imported: that would cost every start. */
function statusText(status: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? '';
}

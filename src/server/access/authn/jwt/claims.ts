// Upstream: k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/oidc.go#claims, #stringOrArray

type ClaimSet = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool' };

/** A claim of this type; null is as good as what the type has when nothing is said. */
export function claimOf(claims: ClaimSet, name: string, type: 'string' | 'bool'): unknown {
  if (!Object.hasOwn(claims, name)) throw new Error('claim not present');
  const value = claims[name];
  if (value === null) return type === 'string' ? '' : false;
  if (kinds[typeof value] !== type) throw new Error(`json: cannot unmarshal ${jsonType(value)} into Go value of type ${type}`);
  return value;
}

export function textClaim(claims: ClaimSet, name: string): string {
  return claimOf(claims, name, 'string') as string;
}

/** A list of texts, or one. */
export function textsClaim(claims: ClaimSet, name: string): readonly string[] {
  const value = claims[name];
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || item === null))
    return value.map((item) => String(item ?? ''));
  return [textClaim(claims, name)];
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Claims that have a meaning for every token, and what they must be. */
const registered: readonly (readonly [name: string, goType: string, fits: (value: unknown) => boolean])[] = [
  ['iss', 'string', isText],
  ['sub', 'string', isText],
  ['aud', '[]string', (value) => isText(value) || (Array.isArray(value) && value.every(isText))],
  ['exp', 'json.Number', isNumber],
  ['iat', 'json.Number', isNumber],
  ['nbf', 'json.Number', isNumber],
  ['nonce', 'string', isText],
  ['at_hash', 'string', isText],
];

/** Throws when one of the claims that every token may have is of the wrong type. */
export function requireRegisteredTypes(claims: ClaimSet): void {
  for (const [name, goType, fits] of registered) {
    const value = claims[name] ?? undefined;
    if (value === undefined || fits(value)) continue;
    const why = `cannot unmarshal ${jsonType(value)} into Go struct field idToken.${name} of type ${goType}`;
    throw new Error(`oidc: failed to unmarshal claims: json: ${why}`);
  }
}

function jsonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}

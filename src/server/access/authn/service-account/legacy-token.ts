// Upstream: k8s.io/kubernetes/pkg/serviceaccount/legacy.go
import { timingSafeEqual } from 'node:crypto';
import type { KubeObject } from '../../../registry/definition.ts';
import { accountOfUser, accountUser } from './account.ts';
import type { Claims, ClaimsValidator } from './jwt.ts';

/** issuer of tokens that live in secrets and never expire */
export const legacyIssuer = 'kubernetes/serviceaccount';
const prefix = 'kubernetes.io/serviceaccount/';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';

interface TokenSecret extends KubeObject {
  /** base64 by key */
  data?: Record<string, string>;
}

/** A token from a secret is good while its secret holds it. `lookup` false: no object is asked. */
export function legacyTokenValidator(lookup: boolean): ClaimsValidator {
  return async (claims, token, reader) => {
    if (!claims.sub) throw new Error('sub claim is missing');
    const namespace = required(claims, 'namespace', 'namespace');
    const secretName = required(claims, 'secret.name', 'secretName');
    const name = required(claims, 'service-account.name', 'serviceAccountName');
    const uid = required(claims, 'service-account.uid', 'serviceAccountUID');
    const subject = accountOfUser(claims.sub);
    if (subject?.namespace !== namespace || subject.name !== name) throw new Error('sub claim is invalid');
    if (!lookup) return accountUser({ namespace, name, uid });

    const secret = await reader.get<TokenSecret>('', 'secrets', namespace, secretName);
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) throw new Error('Token has been invalidated');
    if (!isSame(secret.data?.['token'] ?? '', token)) throw new Error("Token does not match server's copy");
    const account = await reader.get<KubeObject>('', 'serviceaccounts', namespace, name);
    if (account === undefined) throw new Error(`serviceaccounts ${JSON.stringify(name)} not found`);
    if (account.metadata.deletionTimestamp !== undefined) throw new Error(`ServiceAccount ${namespace}/${name} has been deleted`);
    if (account.metadata.uid !== uid) throw new Error(`ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`);
    if (secret.metadata.labels?.[invalidSinceLabel]) {
      throw new Error(
        `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
      );
    }
    return accountUser({ namespace, name, uid });
  };
}

function required(claims: Claims, claim: string, shown: string): string {
  const value = claims[prefix + claim];
  if (typeof value !== 'string' || value === '') throw new Error(`${shown} claim is missing`);
  return value;
}

function isSame(stored: string, token: string): boolean {
  const [left, right] = [Buffer.from(stored, 'base64'), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

// Upstream: k8s.io/kubernetes/pkg/serviceaccount/claims.go
import { randomUUID } from 'node:crypto';
import type { ObjectReader } from '../../../registry/object-reader.ts';
import type { KubeObject } from '../../../registry/definition.ts';
import type { BoundTokenRequest, ObjectReference } from '../../../registry/tokens.ts';
import { accountUser, accountUserName } from './account.ts';
import type { TokenMetrics } from './token-metrics.ts';
import type { Claims, ClaimsValidator } from './jwt.ts';

interface PrivateClaims {
  readonly namespace?: string;
  readonly serviceaccount?: Partial<ObjectReference>;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
  /** seconds since 1970 after which the holder should have fetched another */
  readonly warnafter?: number;
}

/** tolerance for clocks that differ, in seconds */
const leeway = 60;
const invalidated = 'service account token has been invalidated';

export function boundTokenClaims(issuer: string, request: BoundTokenRequest, nowMs: number): Claims {
  const now = Math.floor(nowMs / 1000);
  const { namespace, account, pod, secret, node, warnAfterSeconds } = request;
  return {
    aud: request.audiences,
    exp: now + request.expirationSeconds,
    iat: now,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace,
      ...(node !== undefined && { node: reference(node) }),
      ...(pod !== undefined && { pod: reference(pod) }),
      ...(secret !== undefined && { secret: reference(secret) }),
      serviceaccount: reference(account),
      ...(warnAfterSeconds !== 0 && { warnafter: now + warnAfterSeconds }),
    },
    nbf: now,
    sub: accountUserName(namespace, account.name),
  };
}

/** A bound token is good as long as its account and the object it is bound to are there and the same. */
export function boundTokenValidator(now: () => number, metrics?: TokenMetrics): ClaimsValidator {
  return async (claims, _token, reader) => {
    const time = now();
    checkTimes(claims, Math.floor(time / 1000));
    const { namespace = '', serviceaccount = {}, pod, secret, node } = (claims['kubernetes.io'] ?? {}) as PrivateClaims;
    const { name = '', uid = '' } = serviceaccount;
    const account = await reader.get<KubeObject>('', 'serviceaccounts', namespace, name);
    if (account === undefined) throw new Error(`serviceaccounts ${JSON.stringify(name)} not found`);
    if (account.metadata.uid !== uid) throw new Error(`service account UID (${account.metadata.uid}) does not match claim (${uid})`);
    const tooOld = time - leeway * 1000;
    if (deletedBefore(account, tooOld)) throw new Error(`service account ${namespace}/${name} has been deleted`);
    if (secret !== undefined) await requireBound(reader, 'secret', 'Secret', 'secrets', namespace, secret, tooOld);
    if (pod !== undefined) await requireBound(reader, 'pod', 'Pod', 'pods', namespace, pod, tooOld);
    else if (node !== undefined) await requireBound(reader, 'node', 'Node', 'nodes', '', node, tooOld);
    const { warnafter = 0 } = (claims['kubernetes.io'] ?? {}) as PrivateClaims;
    (warnafter !== 0 && time / 1000 > warnafter ? metrics?.stale : metrics?.valid)?.inc();
    return {
      user: accountUser({ namespace, name, uid, pod, node, credentialId: claims.jti === undefined ? undefined : `JTI=${claims.jti}` }),
    };
  };
}

async function requireBound(
  reader: ObjectReader,
  noun: string,
  kind: string,
  plural: string,
  namespace: string,
  { name, uid }: ObjectReference,
  tooOld: number,
): Promise<void> {
  const object = await reader.get<KubeObject>('', plural, namespace, name);
  if (object === undefined) throw new Error(invalidated);
  if (object.metadata.uid !== uid) {
    throw new Error(`${noun} UID (${object.metadata.uid}) does not match service account ${kind.toLowerCase()} ref claim (${uid})`);
  }
  if (deletedBefore(object, tooOld)) throw new Error(invalidated);
}

function checkTimes({ exp, nbf, iat }: Claims, now: number): void {
  if (nbf !== undefined && now + leeway < nbf) throw new Error('service account token is not valid yet');
  if (exp !== undefined && now - leeway > exp) throw new Error('service account token has expired');
  if (iat !== undefined && now + leeway < iat) throw new Error('service account token is issued in the future');
}

function deletedBefore({ metadata: { deletionTimestamp } }: KubeObject, time: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < time;
}

function reference({ name, uid }: ObjectReference): { name: string; uid?: string } {
  return { name, ...(uid !== '' && { uid }) };
}

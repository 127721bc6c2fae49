// Upstream: k8s.io/kubernetes/pkg/serviceaccount/claims.go
import { randomUUID } from 'node:crypto';
import type { ObjectReader } from '../../../registry/object-reader.ts';
import type { KubeObject } from '../../../registry/definition.ts';
import type { BoundTokenRequest, ObjectReference } from '../../../registry/tokens.ts';
import type { AccountIdentity } from './account.ts';
import { accountUser, accountUserName } from './account.ts';
import type { TokenMetrics } from './token-metrics.ts';
import type { Claims, ClaimsValidator } from './jwt.ts';

interface PrivateClaims {
  readonly namespace?: string;
  readonly serviceaccount?: Partial<ObjectReference>;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
  readonly validatingwebhookconfiguration?: ObjectReference;
  readonly mutatingwebhookconfiguration?: ObjectReference;
  readonly attestations?: Readonly<Record<string, readonly string[]>>;
  /** seconds since 1970 after which the holder should have fetched another */
  readonly warnafter?: number;
}

/** tolerance for clocks that differ, in seconds */
const leeway = 60;
const invalidated = 'service account token has been invalidated';

export function boundTokenClaims(issuer: string, request: BoundTokenRequest, nowMs: number): Claims {
  const now = Math.floor(nowMs / 1000);
  const { namespace, account, pod, secret, node, warnAfterSeconds, attestations = {} } = request;
  const { validatingWebhookConfiguration: validating, mutatingWebhookConfiguration: mutating } = request;
  return {
    aud: request.audiences,
    exp: now + request.expirationSeconds,
    iat: now,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': {
      ...(Object.keys(attestations).length > 0 && { attestations }),
      ...(mutating !== undefined && { mutatingwebhookconfiguration: reference(mutating) }),
      namespace,
      ...(node !== undefined && { node: reference(node) }),
      ...(pod !== undefined && { pod: reference(pod) }),
      ...(secret !== undefined && { secret: reference(secret) }),
      serviceaccount: reference(account),
      ...(validating !== undefined && { validatingwebhookconfiguration: reference(validating) }),
      ...(warnAfterSeconds !== 0 && { warnafter: now + warnAfterSeconds }),
    },
    nbf: now,
    sub: accountUserName(namespace, account.name),
  };
}

/** A bound token is good as long as its account and the object it is bound to are there and the same. */
export function boundTokenValidator(now: () => number, webhookTokens: boolean, metrics?: TokenMetrics): ClaimsValidator {
  return async (claims, _token, reader) => {
    const time = now();
    checkTimes(claims, Math.floor(time / 1000));
    const told = (claims['kubernetes.io'] ?? {}) as PrivateClaims;
    const { namespace = '', serviceaccount = {}, pod, secret, node } = told;
    const { name = '', uid = '' } = serviceaccount;
    const account = await reader.get<KubeObject>('', 'serviceaccounts', namespace, name);
    if (account === undefined) throw new Error(`serviceaccounts ${JSON.stringify(name)} not found`);
    if (account.metadata.uid !== uid) throw new Error(`service account UID (${account.metadata.uid}) does not match claim (${uid})`);
    const tooOld = time - leeway * 1000;
    if (deletedBefore(account, tooOld)) throw new Error(`service account ${namespace}/${name} has been deleted`);
    const requireBound = (noun: string, plural: string, of: string, bound: ObjectReference): Promise<void> =>
      requireSame(reader, { noun, claim: noun, group: '', plural, namespace: of }, bound, tooOld);
    if (secret !== undefined) await requireBound('secret', 'secrets', namespace, secret);
    if (pod !== undefined) await requireBound('pod', 'pods', namespace, pod);
    else if (node !== undefined) await requireBound('node', 'nodes', '', node);
    const attested = await requireWebhooks(told, webhookTokens, reader, tooOld);
    const { warnafter = 0 } = told;
    (warnafter !== 0 && time / 1000 > warnafter ? metrics?.stale : metrics?.valid)?.inc();
    return {
      user: accountUser({
        namespace,
        name,
        uid,
        pod,
        node,
        ...attested,
        credentialId: claims.jti === undefined ? undefined : `JTI=${claims.jti}`,
      }),
    };
  };
}

/** Configurations of webhooks that the token is for, which are to be there and the same, and what it attests to them. */
async function requireWebhooks(
  { validatingwebhookconfiguration: validating, mutatingwebhookconfiguration: mutating, attestations = {} }: PrivateClaims,
  allowed: boolean,
  reader: ObjectReader,
  tooOld: number,
): Promise<Partial<AccountIdentity>> {
  if (validating === undefined && mutating === undefined) return {};
  if (!allowed) throw new Error('feature gate "APIServerWebhookAuthenticationToken" is disabled, but token is webhook bound');
  const { admissionReviewAPIGroups = [] } = attestations;
  if (admissionReviewAPIGroups.length === 0) {
    throw new Error('bound object was a webhook config, but "admissionReviewAPIGroups" attestation is missing');
  }
  const requireBound = (noun: string, bound: ObjectReference): Promise<void> => {
    const of = { noun, claim: 'validating', group: 'admissionregistration.k8s.io', plural: `${noun.toLowerCase()}s`, namespace: '' };
    return requireSame(reader, of, bound, tooOld);
  };
  if (validating !== undefined) await requireBound('ValidatingWebhookConfiguration', validating);
  if (mutating !== undefined) await requireBound('MutatingWebhookConfiguration', mutating);
  return { validatingWebhookConfiguration: validating, mutatingWebhookConfiguration: mutating, admissionReviewAPIGroups };
}

/** `noun` and `claim` are how an error names the object and where it is named in the token; a quirk kept: mutating webhooks are in a validating one. */
interface BoundResource {
  readonly noun: string;
  readonly claim: string;
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
}

async function requireSame(
  reader: ObjectReader,
  { noun, claim, group, plural, namespace }: BoundResource,
  { name, uid }: ObjectReference,
  tooOld: number,
): Promise<void> {
  const object = await reader.get<KubeObject>(group, plural, namespace, name);
  if (object === undefined) throw new Error(invalidated);
  if (object.metadata.uid !== uid) {
    throw new Error(`${noun} UID (${object.metadata.uid}) does not match service account ${claim} ref claim (${uid})`);
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

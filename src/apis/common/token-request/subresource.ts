// Upstream: k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage/token.go
import { conflict, internalError, invalid, notFound } from '../../../machinery/errors.ts';
import { FieldPath, invalid as invalidField } from '../../../machinery/field.ts';
import { timestamp } from '../../../machinery/time.ts';
import type { TokenRequest } from '../../../schema/types/authentication-v1.ts';
import type { KubeObject, Subresource } from '../../../server/registry/definition.ts';
import type { SubresourceCall } from '../../../server/registry/subresource.ts';
import type { ObjectReference, TokenIssuer, Tokens } from '../../../server/registry/tokens.ts';
import type { BoundObject } from './bound-object.ts';
import { boundObject, boundWebhook } from './bound-object.ts';
import { groupsAttestation, isWebhook, validateTokenRequest } from './validation.ts';
import { webhookConfiguration } from './webhook-binding.ts';

const kind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const namePath = FieldPath.root('metadata', 'name');
/** what kubelets ask for when they mount a token of the default projection */
const mountedTokenSeconds = 3607;
const defaultSeconds = 3600;
/** the most that a token for a webhook lives */
const webhookTokenSeconds = 600;

/** POST serviceaccounts/x/token: a token for the account, bound to an object if asked. */
export const tokenSubresource: Subresource = {
  body: kind,
  validatesBody: true,
  defaults(body) {
    const { spec } = body as unknown as TokenRequest;
    spec.expirationSeconds ??= defaultSeconds;
  },
  async create(call) {
    const { tokens } = call.context;
    // Without a key to sign with, upstream does not serve the subresource.
    if (tokens?.issuer === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, call.name);
    return issue(call, tokens, tokens.issuer);
  },
};

async function issue(call: SubresourceCall, tokens: Tokens, issuer: TokenIssuer): Promise<TokenRequest> {
  const { name, namespace, context } = call;
  const request = call.body as unknown as TokenRequest;
  const { metadata, spec } = request;
  if (metadata.name && metadata.name !== name) {
    throw invalid(kind, name, [invalidField(namePath, metadata.name, 'must match the service account name if specified')]);
  }
  const account = await call.parent();
  const uid = account.metadata.uid as string;
  checkUid(metadata.uid, uid, call);
  if (!spec.audiences?.length) spec.audiences = [...tokens.audiences];
  metadata.name = name;
  metadata.namespace = namespace;
  metadata.uid ||= uid;
  const now = Date.parse(context.now);
  metadata.creationTimestamp = context.now;
  const errors = validateTokenRequest(request);
  if (errors.length > 0) throw invalid(kind, '', errors);
  await call.validateBody();

  const bound = await boundTo(request, { name, uid }, call, tokens);
  let expirationSeconds = Number(spec.expirationSeconds);
  const { maxExpirationSeconds: max } = issuer;
  if (max > 0 && expirationSeconds > max) {
    context.warn(`requested expiration of ${expirationSeconds} seconds shortened to ${max} seconds`);
    spec.expirationSeconds = expirationSeconds = max;
  }
  const extended =
    issuer.extendExpiration &&
    bound.pod !== undefined &&
    expirationSeconds === mountedTokenSeconds &&
    spec.audiences.every((audience) => tokens.audiences.includes(audience));
  const token = await generate(issuer, {
    namespace,
    account: { name, uid },
    audiences: spec.audiences,
    ...bound,
    attestations: spec.attestations,
    expirationSeconds: extended ? issuer.maxExtendedExpirationSeconds : expirationSeconds,
    warnAfterSeconds: extended ? expirationSeconds : 0,
  });
  call.request.audit?.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${idOf(token)}`);
  // The response states the expiration that was asked for, extended or not.
  request.status = { token, expirationTimestamp: timestamp(now + expirationSeconds * 1000) };
  return request;
}

async function boundTo({ spec }: TokenRequest, account: ObjectReference, call: SubresourceCall, tokens: Tokens): Promise<BoundObject> {
  const { namespace, context } = call;
  const { boundObjectRef: reference } = spec;
  if (!reference || !isWebhook(reference)) return boundObject(reference ?? undefined, namespace, account.name, context.reader);
  const [audience = ''] = spec.audiences ?? [];
  const [attestedGroup = ''] = spec.attestations?.[groupsAttestation] ?? [];
  const asked = { namespace, account, reference, audience, attestedGroup, ownAudiences: tokens.audiences };
  const configuration = await webhookConfiguration(asked, context);
  spec.expirationSeconds = Math.min(Number(spec.expirationSeconds), webhookTokenSeconds);
  return boundWebhook(configuration, reference);
}

async function generate(issuer: TokenIssuer, request: Parameters<TokenIssuer['issue']>[0]): Promise<string> {
  try {
    return await issuer.issue(request);
  } catch (error) {
    throw internalError(`failed to generate token: ${(error as Error).message}`, { cause: error });
  }
}

function idOf(token: string): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly jti: string }).jti;
}

function checkUid(asked: string | undefined, uid: string, { name, context, request }: SubresourceCall<KubeObject>): void {
  if (!asked || asked === uid) return;
  const mismatch = `the UID in the token request (${asked}) does not match the UID of the service account (${uid})`;
  if (context.features.enabled('TokenRequestServiceAccountUIDValidation')) {
    throw conflict({ group: kind.group, resource: kind.kind }, name, mismatch);
  }
  request.audit?.annotate('authentication.k8s.io/token-request-uid-mismatch', mismatch);
  context.warn(`${mismatch} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`);
}

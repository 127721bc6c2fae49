// Upstream: k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage/token.go#getAndValidateWebhookConfig
import { badRequest, forbidden } from '../../../machinery/errors.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../../schema/types/admissionregistration-v1.ts';
import type { BoundObjectReference } from '../../../schema/types/authentication-v1.ts';
import { accountUser } from '../../../server/access/authn/service-account/account.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { ObjectReference } from '../../../server/registry/tokens.ts';
import type { Attributes } from '../../../server/request/authorizer.ts';
import { forbiddenRequest } from '../../../server/request/forbidden.ts';
import { groupsAttestation } from './validation.ts';

type WebhookConfiguration = (ValidatingWebhookConfiguration | MutatingWebhookConfiguration) & KubeObject;
type Webhook = NonNullable<WebhookConfiguration['webhooks']>[number];

const group = 'admissionregistration.k8s.io';

/** What the request of a token for a webhook says; validation has seen to it that it is all there. */
export interface WebhookTokenRequest {
  readonly namespace: string;
  readonly account: ObjectReference;
  readonly reference: BoundObjectReference;
  readonly audience: string;
  readonly attestedGroup: string;
  /** audiences of this server */
  readonly ownAudiences: readonly string[];
}

/** The configuration that the token is for, if the account may attest the group and a webhook there is called with its objects. */
export async function webhookConfiguration(request: WebhookTokenRequest, context: WriteContext): Promise<KubeObject> {
  const { reference, account, audience, attestedGroup } = request;
  const { kind = '', name = '' } = reference;
  if (!context.features.enabled('APIServerWebhookAuthenticationToken')) {
    const type = `${group}/v1, Kind=${kind}`;
    throw badRequest(`cannot bind token to object of type ${type} (feature gate APIServerWebhookAuthenticationToken is disabled)`);
  }
  if (request.ownAudiences.includes(audience)) throw badRequest('api server audiences are invalid for webhook token requests');
  await requirePermission(request, context);
  const configuration = await context.reader.get<WebhookConfiguration>(group, `${kind.toLowerCase()}s`, '', name);
  if (configuration === undefined || isGone(configuration, context.now) || !isCalled(configuration, audience, attestedGroup)) {
    throw forbidden({ group: '', resource: 'serviceaccounts/token' }, account.name, 'token request denied');
  }
  return configuration;
}

async function requirePermission({ namespace, account, attestedGroup }: WebhookTokenRequest, { authorizer }: WriteContext): Promise<void> {
  const attributes: Attributes = {
    user: accountUser({ namespace, ...account }),
    verb: 'attest',
    isResource: true,
    path: '',
    group: 'authentication.k8s.io',
    version: '*',
    namespace: '',
    resource: groupsAttestation,
    subresource: '',
    name: attestedGroup,
  };
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision !== 'allow') throw forbiddenRequest(attributes, [error, reason].filter(Boolean).join(': '));
}

/** Both are cut to seconds: in the same one, the deletion came before. */
function isGone({ metadata: { deletionTimestamp } }: KubeObject, now: string): boolean {
  return deletionTimestamp !== undefined && Date.parse(now) >= Date.parse(deletionTimestamp);
}

/** One webhook has to have both, the address and a rule for the group. All groups are only for those who may attest to that. */
function isCalled({ webhooks }: WebhookConfiguration, audience: string, attestedGroup: string): boolean {
  if (attestedGroup === '*') return true;
  return (webhooks ?? []).some(
    ({ clientConfig, rules }: Webhook) =>
      addressesOf(clientConfig).includes(audience) &&
      (rules ?? []).some(({ apiGroups }) => (apiGroups ?? []).some((one) => one === '*' || one === attestedGroup)),
  );
}

function addressesOf({ url, service }: Webhook['clientConfig']): string[] {
  if (!service) return url ? [url] : [];
  const { name, namespace, port, path } = service;
  const rooted = path?.startsWith('/') ? path : `/${path ?? ''}`;
  return [...(url ? [url] : []), `https://${name}.${namespace}.svc:${port ?? 443}${rooted}`];
}

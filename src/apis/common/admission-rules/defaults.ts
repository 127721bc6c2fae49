// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/{v1,v1beta1,v1alpha1}/defaults.go
import type {
  MatchResources,
  MutatingWebhook,
  ParamRef,
  RuleWithOperations,
  ValidatingWebhook,
} from '../../../schema/types/admissionregistration-v1.ts';

const allScopes = '*';
const webhookPort = 443;
const webhookTimeoutSeconds = 10;

export function defaultWebhook(webhook: ValidatingWebhook | MutatingWebhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= webhookTimeoutSeconds;
  if (webhook.clientConfig.service) webhook.clientConfig.service.port ??= webhookPort;
  defaultRules(webhook.rules);
}

export function defaultMatchResources(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  defaultRules(match.resourceRules);
  defaultRules(match.excludeResourceRules);
}

/** Bindings of the first version did not have to say what happens when there are no parameters. */
export function defaultParamRef(paramRef: ParamRef | undefined, version: string): void {
  if (paramRef !== undefined && version === 'v1alpha1') paramRef.parameterNotFoundAction ??= 'Deny';
}

function defaultRules(rules: readonly RuleWithOperations[] | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= allScopes;
}

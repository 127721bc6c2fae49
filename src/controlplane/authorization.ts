// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/options/authorization.go, k8s.io/kubernetes/pkg/kubeapiserver/authorizer/{config,reload}.go
import { RestClientMetrics } from '../server/webhook/rest-client-metrics.ts';
import type { Logger } from '../base/log.ts';
import type { TextSource } from '../base/text-source.ts';
import { readText } from '../base/text-source.ts';
import { rbacPolicy } from './bootstrap/rbac-policy.generated.ts';
import { FieldPath } from '../machinery/field.ts';
import { abacAuthorizer, readAbacPolicies } from '../server/access/authz/abac.ts';
import type { Attributes, Authorizer } from '../server/request/authorizer.ts';
import { alwaysAllow, alwaysDeny } from '../server/request/authorizer.ts';
import type { AuthorizerConfiguration, WebhookConfiguration } from '../server/access/authz/configuration.ts';
import { parseAuthorizationConfiguration } from '../server/access/authz/configuration.ts';
import { nodeAuthorizer } from '../server/access/authz/node.ts';
import { NodeRelations } from '../server/access/authz/node-relations.ts';
import type { PolicyRule } from '../server/access/authz/policy-rule.ts';
import { rbacAuthorizer, RbacRules } from '../server/access/authz/rbac.ts';
import { WebhookMatchConditions } from '../server/access/authz/webhook/match-conditions.ts';
import { accessReviewVersion, WebhookAuthorizer } from '../server/access/authz/webhook/webhook-authorizer.ts';
import { WebhookAuthorizerMetrics } from '../server/access/authz/webhook/webhook-metrics.ts';
import { loadKubeconfig } from '../server/webhook/kubeconfig.ts';
import { ReviewClient } from '../server/webhook/review-client.ts';
import type { ChainLink } from '../server/access/authz/authorizer-chain.ts';
import { AuthorizerChain } from '../server/access/authz/authorizer-chain.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import { contentHash, ReloadObserver } from '../base/reload-metrics.ts';
import { serverIdOf } from './bootstrap/identity-lease.ts';
import type { ServerContext } from './server-context.ts';
import { WatchedFile } from '../base/watched-text.ts';

/** Modes that need nothing but the server's own objects. */
const plainModes: Readonly<Record<string, ChainLink['build']>> = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  Node: ({ reader, features }) => nodeAuthorizer({ relations: new NodeRelations(reader), features, rules: systemNodeRules() }),
  RBAC: ({ reader }) => rbacAuthorizer(new RbacRules(reader)),
};

function plainMode(mode: string): ChainLink {
  const build = plainModes[mode];
  if (build === undefined) throw new Error(`unknown authorization mode ${mode} specified`);
  return { type: mode, name: mode.toLowerCase(), build };
}

/** Who decides on requests. */
export interface AuthorizationConfig {
  /** in the order in which they are asked: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node */
  readonly modes: readonly string[];
  /** an AuthorizationConfiguration, in place of `modes` */
  readonly configuration: TextSource | undefined;
  /** rules of mode ABAC, one JSON object per line */
  readonly policies: TextSource | undefined;
  /** of mode Webhook: a kubeconfig file, and how long decisions are kept */
  readonly webhook:
    | { readonly kubeconfig: string; readonly version: string; readonly authorizedTtlMs: number; readonly unauthorizedTtlMs: number }
    | undefined;
  /** Functions of your own, asked before all others: to allow, to deny, or undefined to leave it to them. */
  readonly others: readonly CustomAuthorizer[];
}

export type CustomAuthorizer = (attributes: Attributes) => Verdict | Promise<Verdict>;
type Verdict = 'allow' | 'deny' | undefined;

export const authorizationDefaults: AuthorizationConfig = Object.freeze({
  modes: ['RBAC'],
  configuration: undefined,
  policies: undefined,
  webhook: undefined,
  others: [],
});

export interface Authorization {
  readonly types: readonly string[];
  /** Follows the configuration, if it is in a file, until the server stops. */
  build(reader: ObjectReader, features: FeatureGates): Authorizer;
}

/** Throws what is wrong with the files that are named. */
export function openAuthorization(config: AuthorizationConfig, context: ServerContext): Authorization {
  const { clock, log, owned } = context;
  const { configuration: source } = config;
  const text = source === undefined ? '' : readText(source);
  const linksOf = (authorizers: readonly AuthorizerConfiguration[]): ChainLink[] =>
    authorizers.map(({ type, name, webhook }) => {
      if (type === 'ABAC') return abacLink(config.policies ?? '', log);
      return webhook === undefined ? plainMode(type) : webhookLink(name, webhook, context);
    });
  const others = config.others.map(customLink);
  const links = [...others, ...named(linksOf, source === undefined ? authorizersOf(config) : parseAuthorizationConfiguration(text))];
  return {
    types: links.map(({ type }) => type),
    build(reader, features) {
      const chain = new AuthorizerChain(links, { reader, features, metrics: context.metrics });
      if (typeof source !== 'object') return chain;
      const observer = new ReloadObserver(context.metrics, { of: 'authorization', serverId: serverIdOf(context) });
      observer.inForce(contentHash(text));
      const onError = (error: Error): void => {
        observer.failed();
        log.error('reloading authorization config', { err: error });
      };
      const onChange = (changed: string): void => {
        chain.replace([...others, ...linksOf(parseAuthorizationConfiguration(changed))]);
        observer.reloaded(contentHash(changed));
        log.info('reloaded authz config');
      };
      owned.use(new WatchedFile({ file: source.file, text, clock, onChange, onError }));
      return chain;
    },
  };
}

function named<T, R>(make: (from: T) => R, from: T): R {
  try {
    return make(from);
  } catch (error) {
    throw new Error(`invalid authorization config: ${(error as Error).message}`, { cause: error });
  }
}

function authorizersOf({ modes, webhook }: AuthorizationConfig): AuthorizerConfiguration[] {
  return modes.map((type) => {
    return type === 'Webhook' ? { type, name: 'default', webhook: webhookOf(webhook) } : { type, name: type.toLowerCase() };
  });
}

function webhookOf(webhook: AuthorizationConfig['webhook']): WebhookConfiguration {
  if (webhook === undefined) throw new Error('mode Webhook needs a webhook');
  const { kubeconfig, version, authorizedTtlMs, unauthorizedTtlMs } = webhook;
  return {
    authorizedTtlMs,
    cacheAuthorizedRequests: authorizedTtlMs !== 0,
    unauthorizedTtlMs,
    cacheUnauthorizedRequests: unauthorizedTtlMs !== 0,
    timeoutMs: 30_000,
    subjectAccessReviewVersion: version,
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig },
    matchConditions: [],
  };
}

function webhookLink(name: string, webhook: WebhookConfiguration, { clock, owned, egress, metrics: registry }: ServerContext): ChainLink {
  const server = { ...loadKubeconfig(webhook.connectionInfo.kubeConfigFile ?? ''), dial: egress.controlplane };
  const apiVersion = accessReviewVersion(webhook.subjectAccessReviewVersion);
  const metrics = new WebhookAuthorizerMetrics(registry, name);
  const onAttempt = (seconds: number, failure: unknown): void => metrics.attempted(seconds, failure, client.isClosed);
  const review = {
    server,
    apiVersion,
    kind: 'SubjectAccessReview',
    timeoutMs: webhook.timeoutMs,
    onAttempt,
    metrics: new RestClientMetrics(registry),
  };
  const client: ReviewClient = owned.use(new ReviewClient(review, clock));
  const authorizer = new WebhookAuthorizer({
    client,
    apiVersion,
    clock,
    metrics,
    conditions: WebhookMatchConditions.compile(webhook.matchConditions, FieldPath.root('webhook')).conditions,
    decisionOnError: webhook.failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
    authorizedTtlMs: webhook.cacheAuthorizedRequests ? webhook.authorizedTtlMs : 0,
    unauthorizedTtlMs: webhook.cacheUnauthorizedRequests ? webhook.unauthorizedTtlMs : 0,
  });
  return { type: 'Webhook', name, build: () => authorizer };
}

function customLink(decide: CustomAuthorizer, index: number): ChainLink {
  const name = decide.name === '' ? `custom-${index}` : decide.name;
  const authorizer: Authorizer = {
    authorize: async (attributes) => ({ decision: (await decide(attributes)) ?? 'no-opinion', reason: '' }),
    rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: true }),
  };
  // A type of its own each: the chain has one authorizer of every type.
  return { type: `Custom-${index}`, name, build: () => authorizer };
}

function abacLink(source: TextSource, log: Logger): ChainLink {
  const file = typeof source === 'string' ? '' : source.file;
  const { policies, hasUnversioned } = readAbacPolicies(readText(source), file);
  if (hasUnversioned) {
    log.warn(`Policy file ${file} contained unversioned rules. See docs/admin/authorization.md#abac-mode for ABAC file format details.`);
  }
  return { type: 'ABAC', name: 'abac', build: () => abacAuthorizer(policies) };
}

/** What role system:node has from the start, read when the first node asks. */
function systemNodeRules(): () => readonly PolicyRule[] {
  let known: readonly PolicyRule[] | undefined;
  return () => (known ??= readSystemNodeRules());
}

function readSystemNodeRules(): readonly PolicyRule[] {
  const policy = JSON.parse(rbacPolicy) as readonly { kind: string; metadata: { name: string }; rules?: PolicyRule[] }[];
  return policy.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'system:node')?.rules ?? [];
}

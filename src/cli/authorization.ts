// Upstream: pkg/kubeapiserver/options/authorization.go, pkg/kubeapiserver/authorizer/{config,reload}.go
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { rbacPolicy } from '../controlplane/bootstrap/rbac-policy.generated.ts';
import { FieldPath } from '../machinery/field.ts';
import { abacAuthorizer, readAbacPolicies } from '../server/access/authz/abac.ts';
import type { Authorizer } from '../server/request/authorizer.ts';
import { alwaysAllow, alwaysDeny } from '../server/request/authorizer.ts';
import type { AuthorizerConfiguration, WebhookConfiguration } from '../server/access/authz/configuration.ts';
import { parseAuthorizationConfiguration } from '../server/access/authz/configuration.ts';
import { nodeAuthorizer } from '../server/access/authz/node.ts';
import { NodeRelations } from '../server/access/authz/node-relations.ts';
import type { PolicyRule } from '../server/access/authz/policy-rule.ts';
import { rbacAuthorizer, RbacRules } from '../server/access/authz/rbac.ts';
import { WebhookMatchConditions } from '../server/access/authz/webhook/match-conditions.ts';
import { accessReviewVersion, WebhookAuthorizer } from '../server/access/authz/webhook/webhook-authorizer.ts';
import { loadKubeconfig } from '../server/webhook/kubeconfig.ts';
import { ReviewClient } from '../server/webhook/review-client.ts';
import type { AuthorizerContext, ChainLink } from '../server/access/authz/authorizer-chain.ts';
import { AuthorizerChain } from '../server/access/authz/authorizer-chain.ts';
import type { CompletedOptions } from './complete-options.ts';
import type { ServerOptions } from './flags/index.ts';
import { readPem } from './serving-certificate.ts';
import { WatchedFile } from '../base/watched-text.ts';

/** Modes that need nothing but the server's own objects. */
const plainModes: Readonly<Record<string, ChainLink['build']>> = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  Node: ({ cluster, features }) => nodeAuthorizer({ relations: new NodeRelations(cluster), features, rules: systemNodeRules() }),
  RBAC: ({ cluster }) => rbacAuthorizer(new RbacRules(cluster)),
};

export function plainMode(mode: string): ChainLink {
  const build = plainModes[mode];
  if (build === undefined) throw new Error(`unknown authorization mode ${mode} specified`);
  return { type: mode, name: mode.toLowerCase(), build };
}

/** Who decides on requests, as the flags or their file say. */
export interface Authorization {
  readonly types: readonly string[];
  /** Follows the file, if there is one, until the server stops. */
  build(context: AuthorizerContext): Authorizer;
}

/** What the flags ask for; what it keeps open is closed with `owned`. Throws what is wrong with their files. */
export function openAuthorization(options: CompletedOptions, clock: Clock, log: Logger, owned: AsyncDisposableStack): Authorization {
  const { flags } = options;
  const file = flags['authorization-config'];
  const text = file === '' ? '' : readPem(file);
  const linksOf = (authorizers: readonly AuthorizerConfiguration[]): ChainLink[] =>
    authorizers.map(({ type, name, webhook }) => {
      if (type === 'ABAC') return abacLink(flags['authorization-policy-file'], log);
      return webhook === undefined ? plainMode(type) : webhookLink(name, webhook, clock, owned);
    });
  const links = told(linksOf, file === '' ? authorizersOfFlags(options) : parseAuthorizationConfiguration(text));
  return {
    types: links.map(({ type }) => type),
    build(context) {
      const chain = new AuthorizerChain(links, context);
      if (file === '') return chain;
      const onError = (error: Error): void => log.error('reloading authorization config', { err: error });
      const onChange = (changed: string): void => {
        chain.replace(linksOf(parseAuthorizationConfiguration(changed)));
        log.info('reloaded authz config');
      };
      owned.use(new WatchedFile({ file, text, clock, onChange, onError }));
      return chain;
    },
  };
}

function told<T, R>(make: (from: T) => R, from: T): R {
  try {
    return make(from);
  } catch (error) {
    throw new Error(`invalid authorization config: ${(error as Error).message}`, { cause: error });
  }
}

function authorizersOfFlags({ flags, authorizationModes }: CompletedOptions): AuthorizerConfiguration[] {
  return authorizationModes.map((type) =>
    type === 'Webhook' ? { type, name: 'default', webhook: webhookOfFlags(flags) } : { type, name: type.toLowerCase() },
  );
}

function webhookOfFlags(flags: ServerOptions): WebhookConfiguration {
  const [authorizedTtlMs, unauthorizedTtlMs] = [
    flags['authorization-webhook-cache-authorized-ttl'],
    flags['authorization-webhook-cache-unauthorized-ttl'],
  ];
  return {
    authorizedTtlMs,
    cacheAuthorizedRequests: authorizedTtlMs !== 0,
    unauthorizedTtlMs,
    cacheUnauthorizedRequests: unauthorizedTtlMs !== 0,
    timeoutMs: 30_000,
    subjectAccessReviewVersion: flags['authorization-webhook-version'],
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: flags['authorization-webhook-config-file'] },
    matchConditions: [],
  };
}

function webhookLink(name: string, webhook: WebhookConfiguration, clock: Clock, owned: AsyncDisposableStack): ChainLink {
  const server = loadKubeconfig(webhook.connectionInfo.kubeConfigFile ?? '');
  const apiVersion = accessReviewVersion(webhook.subjectAccessReviewVersion);
  const client = owned.use(new ReviewClient({ server, apiVersion, kind: 'SubjectAccessReview', timeoutMs: webhook.timeoutMs }, clock));
  const authorizer = new WebhookAuthorizer({
    client,
    apiVersion,
    clock,
    conditions: WebhookMatchConditions.compile(webhook.matchConditions, FieldPath.root('webhook')).conditions,
    decisionOnError: webhook.failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
    authorizedTtlMs: webhook.cacheAuthorizedRequests ? webhook.authorizedTtlMs : 0,
    unauthorizedTtlMs: webhook.cacheUnauthorizedRequests ? webhook.unauthorizedTtlMs : 0,
  });
  return { type: 'Webhook', name, build: () => authorizer };
}

function abacLink(file: string, log: Logger): ChainLink {
  const { policies, hasUnversioned } = readAbacPolicies(readPem(file), file);
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

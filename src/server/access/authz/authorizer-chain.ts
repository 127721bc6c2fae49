// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/authorizer/{config,reload}.go
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { decisionCounter } from './decision-metrics.ts';
import type { Authorizer, Decision } from '../../request/authorizer.ts';
import { privilegedGroupAuthorizer, unionAuthorizer } from '../../request/authorizer.ts';
import type { FeatureGates } from '../../registry/features.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import { rbacAuthorizer, RbacRules } from './rbac.ts';

/** What authorizers are made of. */
export interface AuthorizerContext {
  /** undefined: decisions are not counted */
  readonly metrics?: MetricsRegistry;
  readonly reader: ObjectReader;
  readonly features: FeatureGates;
}

/** An authorizer of the chain, made when the resources exist. */
export interface ChainLink {
  readonly type: string;
  readonly name: string;
  build(context: AuthorizerContext): Authorizer;
}

const stateless: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'Webhook'];

/** Authorizers in the order they are asked, which may be replaced while they are at work. */
export class AuthorizerChain implements Authorizer {
  readonly #context: AuthorizerContext;
  readonly #initial: ReadonlyMap<string, Authorizer>;
  #current: Authorizer;
  #roles: Authorizer | undefined;

  constructor(links: readonly ChainLink[], context: AuthorizerContext) {
    this.#context = context;
    this.#initial = new Map(links.filter(({ type }) => type !== 'Webhook').map((link) => [link.type, link.build(context)]));
    this.#current = this.#union(links);
  }

  authorize: Authorizer['authorize'] = (attributes) => this.#current.authorize(attributes);

  rulesFor: NonNullable<Authorizer['rulesFor']> = (user, namespace) =>
    this.#current.rulesFor?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: false };

  /** Roles are read even where they do not decide on requests. */
  roleRulesFor: NonNullable<Authorizer['roleRulesFor']> = (user, namespace) => {
    this.#roles ??= this.#initial.get('RBAC') ?? rbacAuthorizer(new RbacRules(this.#context.reader));
    return this.#roles.rulesFor?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: false };
  };

  /** Webhooks may come and go; the rest is what the server started with. Throws, and changes nothing, when it is not. */
  replace(links: readonly ChainLink[]): void {
    const types = new Set(links.map(({ type }) => type));
    const missing = [...this.#initial.keys()].filter((type) => !types.has(type));
    if (missing.length > 0) throw new Error(`missing required types: [${missing.toSorted().join(' ')}]`);
    const added = links.find(({ type }) => !stateless.includes(type) && !this.#initial.has(type));
    if (added !== undefined) {
      throw new Error(`authorizer type ${added.type} is not allowed if it was not enabled at initial server startup`);
    }
    this.#current = this.#union(links);
  }

  #union(links: readonly ChainLink[]): Authorizer {
    const named = links.map((link): Authorizer => {
      const authorizer = this.#initial.get(link.type) ?? link.build(this.#context);
      const { metrics } = this.#context;
      const counted = metrics === undefined ? (decision: Decision): Decision => decision : decisionCounter(metrics, link.type, link.name);
      return {
        name: link.name,
        authorize: (attributes) => {
          const decision = authorizer.authorize(attributes);
          return decision instanceof Promise ? decision.then(counted) : counted(decision);
        },
        ...(authorizer.rulesFor && { rulesFor: authorizer.rulesFor.bind(authorizer) }),
      };
    });
    return unionAuthorizer([privilegedGroupAuthorizer, ...named]);
  }
}

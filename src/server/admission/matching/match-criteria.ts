// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go, k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import { selectorOf } from '../../../machinery/label-selector.ts';
import { LabelSelectorError } from '../../../machinery/labels.ts';
import type { Selector } from '../../../machinery/labels.ts';
import type { GroupVersionKind } from '../../../machinery/type-model.ts';
import type { MatchResources, NamedRuleWithOperations } from '../../../schema/types/admissionregistration-v1.ts';
import type { AdmissionAttributes, AdmittedResource } from '../admission.ts';
import { isNamespace, kindAt, requestKind } from './endpoint-kind.ts';

/** What the resources of a request are matched by: facts of its URL and verb, none of its object. */
export type MatchedEndpoint = Pick<AdmissionAttributes, 'resource' | 'version' | 'subresource' | 'operation'>;

/** As what a request was matched: its own resource and kind, or those of another version. */
export interface Match {
  readonly resource: AdmittedResource;
  readonly version: string;
  readonly kind: GroupVersionKind;
}

/** One rule that an endpoint meets, unless the name of the object is none of those it wants (none: any name). */
interface Way {
  readonly names: readonly string[];
  readonly match: Match;
}

/** All that can be said about an endpoint before there is an object. */
export interface EndpointMatch {
  readonly included: readonly Way[];
  readonly excluded: readonly Way[];
}

/** The resources that show the same objects as one, in other groups or versions. */
export type EquivalentResources = (resource: AdmittedResource) => readonly AdmittedResource[];

export interface CriteriaOptions {
  /** what no rules mean: everything for policies, nothing for webhooks */
  readonly noRulesMatch: boolean;
}

/** `matchConstraints` of a policy, `matchResources` of a binding, or what a webhook has of the same: compiled, and immutable. */
export class MatchCriteria {
  readonly namespaceSelector: Selector | LabelSelectorError;
  readonly objectSelector: Selector | LabelSelectorError;
  readonly #included: readonly NamedRuleWithOperations[];
  readonly #excluded: readonly NamedRuleWithOperations[];
  readonly #equivalent: boolean;
  readonly #noRulesMatch: boolean;

  constructor(match: MatchResources, { noRulesMatch }: CriteriaOptions) {
    this.namespaceSelector = parse(match.namespaceSelector);
    this.objectSelector = parse(match.objectSelector);
    this.#included = match.resourceRules ?? [];
    this.#excluded = match.excludeResourceRules ?? [];
    this.#equivalent = match.matchPolicy === 'Equivalent';
    this.#noRulesMatch = noRulesMatch;
  }

  /** undefined: no object of this endpoint can match. */
  at(endpoint: MatchedEndpoint, equivalentTo: EquivalentResources): EndpointMatch | undefined {
    const targets = this.#equivalent ? [ownTarget(endpoint), ...otherTargets(endpoint, equivalentTo)] : [ownTarget(endpoint)];
    const excluded = waysOf(this.#excluded, endpoint, targets);
    if (excluded.some(({ names }) => names.length === 0)) return undefined;
    const everything = this.#noRulesMatch && this.#included.length === 0;
    const included = everything ? [{ names: [], match: ownTarget(endpoint) }] : waysOf(this.#included, endpoint, targets);
    return included.length === 0 ? undefined : { included, excluded };
  }
}

/** The match for an object of this name. */
export function matchName({ included, excluded }: EndpointMatch, name: string): Match | undefined {
  if (excluded.length > 0 && firstWay(excluded, name) !== undefined) return undefined;
  return firstWay(included, name)?.match;
}

function firstWay(ways: readonly Way[], name: string): Way | undefined {
  return ways.find(({ names }) => names.length === 0 || names.includes(name));
}

function parse(selector: LabelSelector | undefined): Selector | LabelSelectorError {
  try {
    return selectorOf(selector);
  } catch (error) {
    if (error instanceof LabelSelectorError) return error;
    throw error;
  }
}

function ownTarget(endpoint: MatchedEndpoint): Match {
  const { resource, version } = endpoint;
  return { resource, version, kind: requestKind(endpoint) };
}

function otherTargets({ resource, version: own, subresource }: MatchedEndpoint, equivalentTo: EquivalentResources): Match[] {
  const targets: Match[] = [];
  for (const other of equivalentTo(resource)) {
    for (const version of other.versions.keys()) {
      if (other.group === resource.group && version === own) continue;
      const kind = kindAt(other, version, subresource);
      if (kind !== undefined) targets.push({ resource: other, version, kind });
    }
  }
  return targets;
}

/** The request as it came is tried on all rules before any other form of it is. */
function waysOf(rules: readonly NamedRuleWithOperations[], endpoint: MatchedEndpoint, [own, ...others]: readonly Match[]): Way[] {
  const relevant = rules.filter((rule) => matchesOperation(rule, endpoint) && matchesScope(rule, endpoint));
  const ways = (targets: readonly Match[]): Way[] =>
    relevant.flatMap((rule) =>
      targets
        .filter((target) => matchesResource(rule, target, endpoint.subresource))
        .map((match) => ({ names: rule.resourceNames ?? [], match })),
    );
  return [...ways(own === undefined ? [] : [own]), ...ways(others)];
}

const anything = '*';

function includes(items: readonly string[] | undefined, wanted: string): boolean {
  return items !== undefined && (items.includes(wanted) || items.includes(anything));
}

function matchesOperation({ operations }: NamedRuleWithOperations, { operation }: MatchedEndpoint): boolean {
  return includes(operations, operation);
}

function matchesScope({ scope = anything }: NamedRuleWithOperations, { resource }: MatchedEndpoint): boolean {
  if (scope === anything) return true;
  const namespaced = resource.namespaced && !isNamespace(resource);
  return scope === 'Namespaced' ? namespaced : scope === 'Cluster' && !namespaced;
}

function matchesResource(
  { apiGroups, apiVersions, resources = [] }: NamedRuleWithOperations,
  { resource, version }: Match,
  subresource: string,
): boolean {
  if (!includes(apiGroups, resource.names.group) || !includes(apiVersions, version)) return false;
  return resources.some((pattern) => {
    const slash = pattern.indexOf('/');
    const name = slash < 0 ? pattern : pattern.slice(0, slash);
    const sub = slash < 0 ? '' : pattern.slice(slash + 1);
    return (name === anything || name === resource.names.plural) && (sub === anything || sub === subresource);
  });
}

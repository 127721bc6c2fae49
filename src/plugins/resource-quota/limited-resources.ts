// Upstream: k8s.io/apiserver/pkg/admission/plugin/resourcequota/{controller,config}.go
import type { ResourceAmounts } from '../../apis/common/pod-spec/pod-resources.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { FieldError } from '../../machinery/field.ts';
import { FieldPath, aggregateMessage, required } from '../../machinery/field.ts';
import type { ScopedResourceSelectorRequirement } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { requireKind } from '../../server/object/configuration-kind.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Evaluator } from '../../apis/common/quota/evaluators.ts';

/** What may be consumed only where a quota covers it. */
export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  /** parts of the names of what is limited */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopedResourceSelectorRequirement[];
}

const kinds: readonly (readonly [kind: string, apiVersions: readonly string[]])[] = [
  ['ResourceQuotaConfiguration', ['apiserver.config.k8s.io/v1']],
  ['Configuration', ['resourcequota.admission.k8s.io/v1beta1', 'resourcequota.admission.k8s.io/v1alpha1']],
];

/** The plugin's part of --admission-control-config-file; without one nothing is limited. */
export function readLimitedResources(configuration: unknown): readonly LimitedResource[] {
  if (configuration === undefined) return [];
  const { kind } = Object(configuration) as { kind?: string };
  const [expected, apiVersions] = kinds.find(([name]) => name === kind) ?? (kinds[0] as (typeof kinds)[number]);
  requireKind(configuration, expected, apiVersions);
  const { limitedResources = [] } = configuration as { limitedResources?: readonly LimitedResource[] | null };
  const path = FieldPath.root('limitedResources');
  const errors = (limitedResources ?? []).flatMap(({ resource }, index): FieldError[] =>
    resource ? [] : [required(path.index(index).child('resource'), '')],
  );
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  return limitedResources ?? [];
}

/** What quotas cover of an object. */
export interface Coverage {
  readonly resources: ReadonlySet<string>;
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
}

/** What is limited and not covered; undefined: the object may be written. */
export function limitedProblem(
  limited: readonly LimitedResource[],
  { resource: { group, names } }: AdmissionAttributes,
  object: KubeObject,
  evaluator: Evaluator,
  usage: ResourceAmounts,
  covered: Coverage,
): string | undefined {
  const own = limited.filter(({ apiGroup = '', resource }) => apiGroup === group && resource === names.plural);
  const parts = own.flatMap(({ matchContains = [] }) => matchContains);
  const consumed = [...usage].filter(([, quantity]) => quantity.sign > 0).map(([name]) => name);
  const uncovered = consumed.filter((name) => parts.some((part) => name.includes(part)) && !covered.resources.has(name));
  if (uncovered.length > 0) return `insufficient quota to consume: ${uncovered.toSorted().join(',')}`;
  const scopes = limited.flatMap(({ matchScopes = [] }) => matchScopes).filter((scope) => evaluator.matchesScope(scope, object));
  const open = scopes.filter((scope) => !covered.scopes.some((one) => deepEqual({ ...one }, { ...scope })));
  if (open.length === 0) return undefined;
  const shown = open.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${(values ?? []).join(' ')}]}`);
  return `insufficient quota to match these scopes: [${shown.join(' ')}]`;
}

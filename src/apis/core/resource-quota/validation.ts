// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateResourceQuota, k8s.io/kubernetes/pkg/apis/core/helper/helpers.go
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, invalid, required, typedValue } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { isIntegerResource, validateResourceName } from '../../common/resource-names.ts';

type Quota = ResourceQuota & KubeObject;

const specPath = Path.root('spec');
const statusPath = Path.root('status');

const quotaResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const podResources: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
/** What a scope can apply to. */
const resourcesByScope: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['BestEffort', new Set(['pods'])],
  ['VolumeAttributesClass', new Set(['persistentvolumeclaims', 'requests.storage'])],
]);
const scopesWithoutValue: readonly string[] = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const contradictions: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

export function validate({ spec }: Quota): FieldError[] {
  return validateSpec(spec ?? {});
}

export function validateUpdate({ spec = {} }: Quota, old: Quota): FieldError[] {
  const errors = validateSpec(spec);
  const changed = new Set(spec.scopes).symmetricDifference(new Set(old.spec?.scopes)).size > 0;
  if (changed) errors.push(invalid(specPath.child('scopes'), asPrinted(spec, 'scopes', []), fieldImmutableMessage));
  return errors;
}

export function validateStatusUpdate({ status = {} }: Quota): FieldError[] {
  return [...validateAmounts(status.hard, statusPath.child('hard')), ...validateAmounts(status.used, statusPath.child('used'))];
}

function validateSpec(spec: ResourceQuotaSpec): FieldError[] {
  return [
    ...validateAmounts(spec.hard, specPath.child('hard')),
    ...validateScopes(spec),
    ...validateScopeSelector(spec, specPath.child('scopeSelector', 'matchExpressions')),
  ];
}

function validateAmounts(amounts: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, text]) => {
    const at = path.key(name);
    const errors = validateResourceName(name, at);
    if (!name.includes('/') && !isQuotaResource(name)) {
      errors.push(invalid(at, typedValue(name), 'must be a standard resource for quota'));
    }
    const amount = Quantity.parse(text);
    if (amount.sign < 0) errors.push(invalid(at, text, 'must be greater than or equal to 0'));
    if (isIntegerResource(name) && amount.milliValue() % 1000n !== 0n) errors.push(invalid(at, text, 'must be an integer'));
    return errors;
  });
}

function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

function validateScopes(spec: ResourceQuotaSpec): FieldError[] {
  const { scopes = [] } = spec;
  const path = specPath.child('scopes');
  const errors: FieldError[] = [];
  // Each error shows all scopes: more than one of a sort says nothing more, and there may be one for each scope and resource.
  let [isUnsupported, isMisplaced] = [false, false];
  const misplaces = misplacing(spec);
  for (const scope of scopes) {
    if (!isUnsupported && !resourcesByScope.has(scope)) {
      isUnsupported = true;
      errors.push(invalid(path, scopes, 'unsupported scope'));
    }
    if (!isMisplaced && misplaces(scope)) {
      isMisplaced = true;
      errors.push(invalid(path, scopes, 'unsupported scope applied to resource'));
    }
  }
  return [...errors, ...validateContradictions(scopes, scopes, path)];
}

function validateScopeSelector(spec: ResourceQuotaSpec, path: FieldPath): FieldError[] {
  if (spec.scopeSelector === undefined) return [];
  const expressions = spec.scopeSelector.matchExpressions ?? [];
  const errors: FieldError[] = [];
  let isMisplaced = false;
  const misplaces = misplacing(spec);
  for (const expression of expressions) {
    const { scopeName } = expression;
    if (!resourcesByScope.has(scopeName)) errors.push(invalid(path.child('scopeName'), typedValue(scopeName), 'unsupported scope'));
    if (!isMisplaced && misplaces(scopeName)) {
      isMisplaced = true;
      errors.push(invalid(path, internalSelector(expressions), 'unsupported scope applied to resource'));
    }
    append(errors, validateOperator(expression, path));
  }
  const names = expressions.map(({ scopeName }) => scopeName);
  return [...errors, ...validateContradictions(names, asPrinted(spec, 'scopes', []), path)];
}

function validateOperator({ scopeName, operator, values = [] }: ScopedResourceSelectorRequirement, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (scopesWithoutValue.includes(scopeName) && operator !== 'Exists') {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalid(path.child('operator'), typedValue(operator), detail));
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(required(path.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
      }
      return errors;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        errors.push(invalid(path.child('values'), values, detail));
      }
      return errors;
    default:
      return [...errors, invalid(path.child('operator'), typedValue(operator), 'not a valid selector operator')];
  }
}

/** Whether the quota has resources that a scope cannot apply to; looked up once for each scope that there is. */
function misplacing({ hard = {} }: ResourceQuotaSpec): (scope: string) => boolean {
  const known = new Map<string, boolean>();
  const names = Object.keys(hard).filter(isQuotaResource);
  return (scope) => {
    const allowed = resourcesByScope.get(scope);
    if (allowed === undefined) return false;
    const found = known.get(scope) ?? names.some((name) => !allowed.has(name));
    known.set(scope, found);
    return found;
  };
}

function validateContradictions(scopes: readonly string[], shown: readonly string[] | null, path: FieldPath): FieldError[] {
  return contradictions
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalid(path, shown, 'conflicting scopes'));
}

/** Upstream shows its internal struct, which has no JSON names. */
function internalSelector(expressions: readonly ScopedResourceSelectorRequirement[]): unknown {
  return {
    MatchExpressions: expressions.map((expression) => ({
      ScopeName: expression.scopeName,
      Operator: expression.operator,
      Values: asPrinted(expression, 'values', []),
    })),
  };
}

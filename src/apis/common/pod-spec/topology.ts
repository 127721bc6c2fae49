// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateTopologySpreadConstraints
import { append } from '../../../machinery/append.ts';
import { duplicate, forbidden, invalid, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { validateLabelName } from '../../../machinery/object-meta-validation.ts';
import type { TopologySpreadConstraint } from '../../../schema/types/core-v1.ts';
import { validateMatchLabelKeys } from './affinity.ts';
import type { PodValidationOptions } from './options.ts';
import { validateOneOf, validatePositive } from './rules.ts';

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusionPolicies = ['Honor', 'Ignore'];

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const last = new Map((constraints ?? []).map((constraint, index) => [pairOf(constraint), index]));
  return (constraints ?? []).flatMap((constraint, index) => {
    const at = path.index(index);
    const { topologyKey, whenUnsatisfiable, labelSelector } = constraint;
    const errors = validatePositive(constraint.maxSkew, at.child('maxSkew'));
    if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    append(errors, validateOneOf(whenUnsatisfiable, actions, at.child('whenUnsatisfiable')));
    if (last.get(pairOf(constraint)) !== index) {
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`));
    }
    append(errors, validateMinDomains(constraint, at.child('minDomains')));
    append(errors, validateOneOf(constraint.nodeAffinityPolicy, inclusionPolicies, at.child('nodeAffinityPolicy')));
    append(errors, validateOneOf(constraint.nodeTaintsPolicy, inclusionPolicies, at.child('nodeTaintsPolicy')));
    append(errors, validateKeys(constraint, at, options));
    if (!options.allowInvalidTopologySpreadConstraintLabelSelector && labelSelector !== undefined) {
      append(errors, validateLabelSelector(labelSelector, at.child('labelSelector')));
    }
    return errors;
  });
}

function pairOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return JSON.stringify([topologyKey, whenUnsatisfiable]);
}

function validateMinDomains({ minDomains, whenUnsatisfiable }: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  if (minDomains === undefined) return [];
  const errors = validatePositive(minDomains, path);
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    errors.push(invalid(path, typedValue(minDomains), detail).withOrigin('dependsOn'));
  }
  return errors;
}

/** Two generations of one rule; an object that breaks the wanted one stays under the other. */
function validateKeys(constraint: TopologySpreadConstraint, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const { matchLabelKeys, labelSelector } = constraint;
  const merges = options.allowMatchLabelKeysInPodTopologySpread && options.allowMatchLabelKeysInPodTopologySpreadSelectorMerge;
  const preferred = merges
    ? !options.oldPodViolatesMatchLabelKeysValidation
    : options.allowMatchLabelKeysInPodTopologySpread && options.oldPodViolatesLegacyMatchLabelKeysValidation;
  return preferred
    ? validateMatchLabelKeys(matchLabelKeys, undefined, labelSelector, path)
    : validateLegacyKeys(constraint, path.child('matchLabelKeys'));
}

export function validateLegacyKeys({ matchLabelKeys, labelSelector }: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  if (!matchLabelKeys?.length) return [];
  const errors = labelSelector === undefined ? [forbidden(path, 'must not be specified when labelSelector is not set')] : [];
  const taken = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  matchLabelKeys.forEach((key, index) => {
    append(errors, validateLabelName(key, path.index(index)));
    if (!taken.has(key)) return;
    errors.push(invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector').withOrigin('duplicatedLabelKeys'));
  });
  return errors;
}

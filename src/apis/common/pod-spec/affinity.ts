// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateAffinity
import { append } from '../../../machinery/append.ts';
import { invalid, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import { checkLabelValue, nameIsDnsLabel, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { validateLabelName } from '../../../machinery/object-meta-validation.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { PodValidationOptions } from './options.ts';
import { problemsOf } from './rules.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: core.Affinity | undefined, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (affinity === undefined) return [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const errors: FieldError[] = [];
  if (nodeAffinity !== undefined) append(errors, validateNodeAffinity(nodeAffinity, path.child('nodeAffinity'), options));
  if (podAffinity !== undefined) append(errors, validatePodAffinity(podAffinity, path.child('podAffinity'), options));
  if (podAntiAffinity !== undefined) append(errors, validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'), options));
  return errors;
}

function validateNodeAffinity(affinity: core.NodeAffinity, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  const selector = affinity[requiredTerms];
  if (selector !== undefined) {
    append(errors, validateNodeSelector(selector, path.child(requiredTerms), options.allowInvalidLabelValueInRequiredNodeAffinity));
  }
  (affinity[preferred] ?? []).forEach(({ weight, preference }, index) => {
    const at = path.child(preferred).index(index);
    // Values that are no labels pass here: they may match where there is one node only.
    append(errors, validateWeight(weight, at), validateNodeSelectorTerm(preference, at.child('preference'), true));
  });
  return errors;
}

function validateWeight(weight: number, path: FieldPath): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(path.child('weight'), weight, 'must be in the range 1-100')];
}

export function validateNodeSelector(selector: core.NodeSelector, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = path.child('nodeSelectorTerms');
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, at.index(index), allowInvalidValues));
}

export function validateNodeSelectorTerm(term: core.NodeSelectorTerm, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(requirement, path.child('matchExpressions').index(index), allowInvalidValues),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, index) =>
      validateFieldRequirement(requirement, path.child('matchFields').index(index)),
    ),
  ];
}

function validateRequirement(requirement: core.NodeSelectorRequirement, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  const { key, operator, values = [] } = requirement;
  const errors: FieldError[] = [];
  const at = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) errors.push(forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      errors.push(invalid(path.child('operator'), typedValue(operator), 'not a valid selector operator'));
  }
  append(errors, validateLabelName(key, path.child('key')));
  if (!allowInvalidValues) {
    values.forEach((value, index) => {
      for (const problem of checkLabelValue(value))
        errors.push(invalid(at.index(index), value, problem).withOrigin('format=k8s-label-value'));
    });
  }
  return errors;
}

function validateFieldRequirement({ key, operator, values = [] }: core.NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(path.child('operator'), typedValue(operator), 'not a valid selector operator'));
  } else if (values.length !== 1) {
    errors.push(required(path.child('values'), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  if (key !== 'metadata.name') return [...errors, invalid(path.child('key'), key, 'not a valid field selector key')];
  return [
    ...errors,
    ...values.flatMap((value, index) => problemsOf(nameIsDnsSubdomain(value, false), value, path.child('values').index(index))),
  ];
}

function validatePodAffinity(affinity: core.PodAffinity, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...(affinity[requiredTerms] ?? []).flatMap((term, index) =>
      validatePodAffinityTerm(term, path.child(requiredTerms).index(index), options),
    ),
    ...(affinity[preferred] ?? []).flatMap(({ weight, podAffinityTerm }, index) => {
      const at = path.child(preferred).index(index);
      return [...validateWeight(weight, at), ...validatePodAffinityTerm(podAffinityTerm, at.child('podAffinityTerm'), options)];
    }),
  ];
}

function validatePodAffinityTerm(term: core.PodAffinityTerm, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey, matchLabelKeys, mismatchLabelKeys } = term;
  const errors: FieldError[] = [];
  const selectorOptions = { allowInvalidLabelValue: options.allowInvalidLabelValueInSelector };
  if (labelSelector !== undefined) append(errors, validateLabelSelector(labelSelector, path.child('labelSelector'), selectorOptions));
  if (namespaceSelector !== undefined) {
    append(errors, validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), selectorOptions));
  }
  for (const name of namespaces ?? []) append(errors, problemsOf(nameIsDnsLabel(name, false), name, path.child('namespace')));
  append(errors, validateMatchLabelKeys(matchLabelKeys, mismatchLabelKeys, labelSelector, path));
  if (topologyKey === '') errors.push(required(path.child('topologyKey'), 'can not be empty'));
  return [...errors, ...validateLabelName(topologyKey, path.child('topologyKey'))];
}

export function validateMatchLabelKeys(
  match: readonly string[] = [],
  mismatch: readonly string[] = [],
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...validateLabelKeys(match, selector, path.child('matchLabelKeys')),
    ...validateLabelKeys(mismatch, selector, path.child('mismatchLabelKeys')),
  ];
  // The selector holds a requirement made of each key already: a key is doubled only when it is there twice.
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  const places = new Map(match.map((key, index) => [key, index]));
  for (const { key } of selector?.matchExpressions ?? []) {
    const index = places.get(key);
    if (index !== undefined && seen.has(key)) {
      const detail = 'exists in both matchLabelKeys and labelSelector';
      errors.push(invalid(path.index(index), key, detail).withOrigin('duplicatedLabelKeys'));
    }
    seen.add(key);
  }
  const mismatched = new Set(mismatch);
  match.forEach((key, index) => {
    if (!mismatched.has(key)) return;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalid(path.child('matchLabelKeys').index(index), key, detail).withOrigin('duplicatedMismatchLabelKeys'));
  });
  return errors;
}

function validateLabelKeys(keys: readonly string[], selector: LabelSelector | undefined, path: FieldPath): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [forbidden(path, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => validateLabelName(key, path.index(index)));
}

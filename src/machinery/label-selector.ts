// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go, k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
import { append } from './append.ts';
import { forbidden, invalid, required, typedValue } from './field.ts';
import type { FieldError, FieldPath } from './field.ts';
import { goQuote } from './go-format.ts';
import { LabelSelectorError, Selector, requirement } from './labels.ts';
import type { LabelOperator, Requirement } from './labels.ts';
import { checkLabelValue } from './names.ts';
import { validateLabelName, validateLabels } from './object-meta-validation.ts';

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** metav1.LabelSelector. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** No selector selects nothing, an empty one everything. Throws a LabelSelectorError for one that is not valid. */
export function selectorOf(selector: LabelSelector | undefined): Selector {
  if (selector === undefined) return Selector.nothing;
  const requirements: Requirement[] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]));
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const translated = operators.get(operator);
    if (translated === undefined) throw new LabelSelectorError(`${goQuote(operator)} is not a valid label selector operator`);
    requirements.push(requirement(key, translated, values));
  }
  return requirements.length === 0 ? Selector.everything : new Selector(requirements);
}

/** As tables and messages show it. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  try {
    return selectorOf(selector).toString() || '<none>';
  } catch (error) {
    if (error instanceof LabelSelectorError) return '<error>';
    throw error;
  }
}

export interface LabelSelectorValidationOptions {
  /** for objects that were stored with one already */
  readonly allowInvalidLabelValue?: boolean;
  readonly allowUnknownOperator?: boolean;
}

export function hasInvalidLabelValue(selector: LabelSelector | undefined): boolean {
  return selector?.matchExpressions?.some(({ values }) => values?.some((value) => checkLabelValue(value).length > 0)) ?? false;
}

export function validateLabelSelector(
  selector: LabelSelector | undefined,
  path: FieldPath,
  options: LabelSelectorValidationOptions = {},
): FieldError[] {
  if (selector === undefined) return [];
  const expressions = selector.matchExpressions ?? [];
  return [
    ...validateLabels(selector.matchLabels, path.child('matchLabels')),
    ...expressions.flatMap((expression, index) =>
      validateLabelSelectorRequirement(expression, path.child('matchExpressions').index(index), options),
    ),
  ];
}

export function validateLabelSelectorRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: FieldPath,
  options: LabelSelectorValidationOptions = {},
): FieldError[] {
  const errors = validateOperator(operator, values, path, options.allowUnknownOperator);
  append(errors, validateLabelName(key, path.child('key')));
  if (options.allowInvalidLabelValue === true) return errors;
  values.forEach((value, index) => {
    for (const problem of checkLabelValue(value)) errors.push(invalid(path.child('values').index(index), value, problem));
  });
  return errors;
}

/** metav1.FieldSelectorRequirement, as SubjectAccessReviews carry it. */
export function validateFieldSelectorRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: FieldPath,
  options: { readonly allowUnknownOperator?: boolean } = {},
): FieldError[] {
  const errors = key === '' ? [required(path.child('key'), 'must be specified')] : [];
  return [...errors, ...validateOperator(operator, values, path, options.allowUnknownOperator)];
}

function validateOperator(operator: string, values: readonly string[], path: FieldPath, allowUnknown = false): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return allowUnknown ? [] : [invalid(path.child('operator'), typedValue(operator), 'not a valid selector operator')];
  }
}

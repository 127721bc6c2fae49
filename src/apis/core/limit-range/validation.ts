// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateLimitRange
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, forbidden, invalid, required, typedValue } from '../../../machinery/field.ts';
import { checkQualifiedName } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { LimitRange, LimitRangeItem } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { isOvercommitAllowed, validateContainerResourceName, validateResourceName } from '../../common/resource-names.ts';

const types: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];
const limitsPath = Path.root('spec', 'limits');
const one = Quantity.of(1);
/** beyond this a value has no thousandths that an int64 could hold */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

export function validate({ spec }: LimitRange & KubeObject): FieldError[] {
  const seen = new Set<string>();
  return (spec.limits ?? []).flatMap((item, index) => {
    const path = limitsPath.index(index);
    const errors = validateType(item.type, path.child('type'));
    if (seen.has(item.type)) errors.push(duplicate(path.child('type'), typedValue(item.type)));
    seen.add(item.type);
    return [...errors, ...validateItem(item, path)];
  });
}

function validateType(type: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(type);
  if (problems.length > 0) return problems.map((problem) => invalid(path, typedValue(type), problem));
  if (type.includes('/') || types.includes(type)) return [];
  return [invalid(path, typedValue(type), 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, path: FieldPath): FieldError[] {
  const { type } = item;
  const errors: FieldError[] = [];
  const names = (field: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio'): void => {
    for (const name of Object.keys(item[field] ?? {})) append(errors, validateName(type, name, path.child(field).key(name)));
  };
  names('max');
  names('min');
  if (type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[field] ?? {}).length > 0) {
        errors.push(forbidden(path.child(field), "may not be specified when `type` is 'Pod'"));
      }
    }
  } else {
    names('default');
    names('defaultRequest');
  }
  if (type === 'PersistentVolumeClaim' && item.min?.['storage'] === undefined && item.max?.['storage'] === undefined) {
    errors.push(required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided'));
  }
  names('maxLimitRequestRatio');

  const defaults = type === 'Pod' ? {} : { ...item.default };
  const requests = type === 'Pod' ? {} : { ...item.defaultRequest };
  const all = { ...item.max, ...item.min, ...defaults, ...requests, ...item.maxLimitRequestRatio };
  for (const name of Object.keys(all)) {
    append(
      errors,
      validateResource(name, path, {
        min: quantity(item.min?.[name]),
        max: quantity(item.max?.[name]),
        limit: quantity(defaults[name]),
        request: quantity(requests[name]),
        ratio: quantity(item.maxLimitRequestRatio?.[name]),
      }),
    );
  }
  return errors;
}

function validateName(type: string, name: string, path: FieldPath): FieldError[] {
  return type === 'Pod' || type === 'Container' ? validateContainerResourceName(name, path) : validateResourceName(name, path);
}

function quantity(text: string | undefined): Quantity | undefined {
  return text === undefined ? undefined : Quantity.parse(text);
}

interface Amounts {
  readonly min: Quantity | undefined;
  readonly max: Quantity | undefined;
  readonly limit: Quantity | undefined;
  readonly request: Quantity | undefined;
  readonly ratio: Quantity | undefined;
}

/** min ≤ request ≤ limit ≤ max, as far as they are given. */
function validateResource(name: string, path: FieldPath, { min, max, limit, request, ratio }: Amounts): FieldError[] {
  const errors: FieldError[] = [];
  const compare = (
    smaller: Quantity | undefined,
    larger: Quantity | undefined,
    words: readonly [string, string],
    field: string,
    shown: Quantity | undefined,
  ): void => {
    if (smaller === undefined || larger === undefined || smaller.compare(larger) <= 0) return;
    const detail = `${words[0]} value ${smaller} is greater than ${words[1]} value ${larger}`;
    errors.push(invalid(path.child(field).key(name), String(shown), detail));
  };
  compare(min, max, ['min', 'max'], 'min', min);
  compare(min, request, ['min', 'default request'], 'defaultRequest', request);
  compare(request, max, ['default request', 'max'], 'defaultRequest', request);
  compare(request, limit, ['default request', 'default limit'], 'defaultRequest', request);
  // these two show the bound, not the value
  compare(min, limit, ['min', 'default'], 'default', min);
  compare(limit, max, ['default', 'max'], 'default', max);
  if (ratio !== undefined) append(errors, validateRatio(ratio, min, max, path.child('maxLimitRequestRatio').key(name)));
  if (!isOvercommitAllowed(name) && limit !== undefined && request !== undefined && limit.compare(request) !== 0) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    errors.push(invalid(path.child('defaultRequest').key(name), String(request), detail));
  }
  return errors;
}

function validateRatio(ratio: Quantity, min: Quantity | undefined, max: Quantity | undefined, path: FieldPath): FieldError[] {
  const errors = ratio.compare(one) < 0 ? [invalid(path, String(ratio), `ratio ${ratio} is less than 1`)] : [];
  if (min === undefined || max === undefined) return errors;
  const small = [ratio, min, max].every((amount) => amount.value() < maxMilliValue);
  const allowed = small ? Number(max.milliValue()) / Number(min.milliValue()) : Number(max.value()) / Number(min.value());
  const asked = small ? Number(ratio.milliValue()) / 1000 : Number(ratio.value());
  if (asked > allowed) errors.push(invalid(path, String(ratio), `ratio ${ratio} is greater than max/min = ${allowed.toFixed(6)}`));
  return errors;
}

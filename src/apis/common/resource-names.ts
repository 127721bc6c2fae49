// Upstream: k8s.io/kubernetes/pkg/apis/core/helper/helpers.go, k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateContainerResourceName
import { invalid, typedValue } from '../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { checkQualifiedName } from '../../machinery/names.ts';
import { Quantity } from '../../machinery/quantity.ts';

const hugePagesPrefix = 'hugepages-';
const requestsPrefix = 'requests.';
const nativeNamespace = 'kubernetes.io/';

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const integerResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...integerResources,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'storage',
  'requests.storage',
]);

export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** `cpu`, or of Kubernetes' own namespace. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes(nativeNamespace);
}

/** `example.com/gpu` */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith(requestsPrefix)) return false;
  return checkQualifiedName(requestsPrefix + name).length === 0;
}

export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

export function isStandardResource(name: string): boolean {
  return standardResources.has(name) || isHugePages(name) || name.startsWith(requestsPrefix + hugePagesPrefix);
}

export function isStandardContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePages(name);
}

export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name);
}

export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, typedValue(name), problem));
  if (name.includes('/') || isStandardResource(name)) return [];
  return [invalid(path, typedValue(name), 'must be a standard resource type or fully qualified')];
}

export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    if (!isStandardContainerResource(name)) errors.push(invalid(path, typedValue(name), 'must be a standard resource for containers'));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalid(path, typedValue(name), "doesn't follow extended resource name standard"));
  }
  return errors;
}

export function validateResourceQuantity(name: string, quantity: Quantity, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (quantity.sign < 0) errors.push(invalid(path, quantity.toString(), 'must be greater than or equal to 0'));
  if (isIntegerResource(name) && quantity.milliValue() % 1000n !== 0n) {
    errors.push(invalid(path, quantity.toString(), 'must be an integer'));
  }
  return errors;
}

/** A whole number of pages of the size in the resource's name. */
export function isHugePagesMultiple(name: string, quantity: Quantity): boolean {
  const size = name.slice(hugePagesPrefix.length);
  let pageSize: Quantity;
  try {
    pageSize = Quantity.parse(size);
  } catch {
    // A size that is no quantity has no multiples.
    return false;
  }
  if (pageSize.sign <= 0 || pageSize.milliValue() % 1000n !== 0n) return false;
  return quantity.value() % pageSize.value() === 0n;
}

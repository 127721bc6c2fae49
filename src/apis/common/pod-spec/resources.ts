// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateResourceRequirements, #validatePodResources, #validatePodResourceClaim
import { append } from '../../../machinery/append.ts';
import { FieldPath, duplicate, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { FieldError } from '../../../machinery/field.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { internalForm, pointers, strings } from '../internal-form.ts';
import {
  isHugePages,
  isHugePagesMultiple,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
  validateResourceQuantity,
} from '../resource-names.ts';
import type { PodValidationOptions } from './options.ts';
import { aggregateContainers, amountsOf, isPodLevelResource, podLevelResourceNames } from './pod-resources.ts';
import { problemsOf, validateDnsLabel } from './rules.ts';

type NameRule = (name: string, path: FieldPath) => FieldError[];
type HugePagesOptions = Pick<PodValidationOptions, 'allowIndivisibleHugePagesValues'>;

/** The claims of a pod. Thousands of containers may each name one that is not among thousands: the text of what there is to choose from is made once. */
export class ClaimNames {
  readonly #names: ReadonlySet<string>;
  #choices: string | undefined;

  constructor(claims: readonly { readonly name: string }[] = []) {
    this.#names = new Set(claims.map(({ name }) => name).filter((name) => name !== ''));
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  get choices(): string {
    return (this.#choices ??= this.#names.size === 0 ? ' which is empty' : `: ${[...this.#names].sort().join(', ')}`);
  }
}

export function validateContainerResources(
  requirements: core.ResourceRequirements | undefined,
  claimNames: ClaimNames,
  path: FieldPath,
  options: HugePagesOptions,
): FieldError[] {
  return requirements === undefined ? [] : validateRequirements(requirements, validateContainerResourceName, claimNames, path, options);
}

function validateRequirements(
  { limits: writtenLimits, requests: writtenRequests, claims }: core.ResourceRequirements,
  nameRule: NameRule,
  claimNames: ClaimNames,
  path: FieldPath,
  options: HugePagesOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const limits = amountsOf(writtenLimits);
  const requests = amountsOf(writtenRequests);
  const limitsPath = path.child('limits');
  const requestsPath = path.child('requests');
  for (const [name, quantity] of limits) {
    const at = limitsPath.key(name);
    append(errors, nameRule(name, at), validateResourceQuantity(name, quantity, at), validateHugePages(name, quantity, at, options));
  }
  for (const [name, quantity] of requests) {
    const at = requestsPath.key(name);
    const limit = limits.get(name);
    append(errors, nameRule(name, at), validateResourceQuantity(name, quantity, at));
    if (limit === undefined) {
      if (!isOvercommitAllowed(name)) errors.push(required(limitsPath, 'Limit must be set for non overcommitable resources'));
    } else if (!quantity.equals(limit) && !isOvercommitAllowed(name)) {
      errors.push(invalid(requestsPath, quantity.toString(), `must be equal to ${name} limit of ${limit}`));
    } else if (quantity.compare(limit) > 0) {
      errors.push(invalid(requestsPath, quantity.toString(), `must be less than or equal to ${name} limit of ${limit}`));
    }
    append(errors, validateHugePages(name, quantity, at, options));
  }
  const has = (name: string): boolean => limits.has(name) || requests.has(name);
  if (!has('cpu') && !has('memory') && [...limits.keys(), ...requests.keys()].some(isHugePages)) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  if (claims !== undefined) append(errors, validateClaimReferences(claims, claimNames, path.child('claims')));
  return errors;
}

function validateHugePages(name: string, quantity: Quantity, path: FieldPath, options: HugePagesOptions): FieldError[] {
  if (!isHugePages(name) || options.allowIndivisibleHugePagesValues || isHugePagesMultiple(name, quantity)) return [];
  return [invalid(path, quantity.toString(), `${quantity} is not positive integer multiple of ${name}`)];
}

/** `name` stands for all requests of a claim, `name/request` for one. */
function validateClaimReferences(claims: readonly core.ResourceClaim[], known: ClaimNames, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  /** how many requests of a claim stand there by themselves */
  const requests = new Map<string, number>();
  claims.forEach(({ name, request = '' }, index) => {
    const at = path.index(index);
    if (name === '') {
      errors.push(required(at, ''));
      return;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      const key = request === '' ? name : `${name}/${request}`;
      if (request !== '') append(errors, validateDnsLabel(request, at.child('request')));
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === '') for (let count = requests.get(name) ?? 0; count > 0; count--) errors.push(duplicate(at, name));
      if (key.includes('/')) {
        const claim = key.slice(0, key.indexOf('/'));
        requests.set(claim, (requests.get(claim) ?? 0) + 1);
      }
      seen.add(key);
    }
    if (!known.has(name)) {
      errors.push(new FieldError('FieldValueNotFound', at, name, `must be one of the names in pod.spec.resourceClaims${known.choices}`));
    }
  });
  return errors;
}

export function validateOverhead(overhead: Record<string, string>, path: FieldPath, options: HugePagesOptions): FieldError[] {
  return validateRequirements({ limits: overhead }, validateContainerResourceName, new ClaimNames(), path, options);
}

function validatePodResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, typedValue(name), podLevelResourceNames)];
}

/** Resources of the pod as a whole. */
export function validatePodLevelResources(
  spec: core.PodSpec,
  claimNames: ClaimNames,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  if (spec.resources === undefined) return [];
  if (spec.os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  const errors =
    asPrinted(spec.resources, 'claims', []) === null
      ? []
      : [forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level')];
  return [
    ...errors,
    ...validateRequirements(spec.resources, validatePodResourceName, claimNames, path, options),
    ...validateConsistency(spec, path),
  ];
}

function validateConsistency(spec: core.PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const requests = amountsOf(spec.resources?.requests);
  const limits = amountsOf(spec.resources?.limits);
  for (const [name, needed] of aggregateContainers(spec, 'requests')) {
    const whole = requests.get(name);
    if (whole === undefined || needed.compare(whole) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${needed}`;
    errors.push(invalid(path.child('requests').key(name), whole.toString(), detail));
  }
  for (const [name, needed] of aggregateContainers(spec, 'limits')) {
    const whole = limits.get(name);
    if (!isHugePages(name) || whole === undefined || needed.compare(whole) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container limits of ${needed}`;
    errors.push(invalid(path.child('limits').key(name), whole.toString(), detail));
  }
  (spec.containers ?? []).forEach(({ resources }, index) => {
    for (const [name, limit] of amountsOf(resources?.limits)) {
      const whole = limits.get(name);
      if (whole === undefined || limit.compare(whole) <= 0) continue;
      const at = path.child('containers').index(index).key(name).child('limits');
      errors.push(invalid(at, limit.toString(), `must be less than or equal to pod limits of ${whole}`));
    }
  });
  return errors;
}

const claimShape = [...strings('name'), ...pointers('resourceClaimName', 'resourceClaimTemplateName')];

export function validateResourceClaims(
  claims: readonly core.PodResourceClaim[] | undefined,
  metadata: ObjectMeta | undefined,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return (claims ?? []).flatMap((claim, index) => {
    if (metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) {
      return [forbidden(FieldPath.root(''), 'static pods do not support resource claims')];
    }
    return validateResourceClaim(claim, seen, path.index(index));
  });
}

function validateResourceClaim(claim: core.PodResourceClaim, seen: Set<string>, path: FieldPath): FieldError[] {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(path.child('name'), ''));
  else if (seen.has(name)) errors.push(duplicate(path.child('name'), name));
  else {
    append(errors, validateDnsLabel(name, path.child('name')));
    seen.add(name);
  }
  const shown = internalForm(claim, claimShape);
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    errors.push(invalid(path, shown, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    errors.push(invalid(path, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
  }
  for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
    const value = claim[field];
    if (value !== undefined) append(errors, problemsOf(nameIsDnsSubdomain(value, false), value, path.child(field)));
  }
  return errors;
}

// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateDeviceClaim
import type { Steps } from '../../../base/steps.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { LiteralValue, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceDerivedAttribute,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
} from '../../../schema/types/resource-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../pod-spec/rules.ts';
import { validateConfiguration } from './configuration.ts';
import { ConstrainedAttributes } from './constrained-attributes.ts';
import { ExpressionRules } from './expressions.ts';
import { validateListInSteps } from './lists.ts';
import { RequestNames } from './request-names.ts';
import { validateTolerations } from './taints.ts';

const maxEntries = 32;
const maxSubrequests = 8;
const maxAttributeCost = 1_000_000;

/** What a claim asks for. Lengths, unique names and formats that the type declares are checked from there. */
export function* validateDeviceClaim(claim: DeviceClaim, path: FieldPath, features: FeatureGates): Steps<FieldError[]> {
  const names = new RequestNames(claim);
  const rules = new RequestRules(claim, features);
  const declaredMax = maxEntries;
  const errors = [
    ...(yield* validateListInSteps(claim.requests, path.child('requests'), (request, at) => rules.validate(request, at), { declaredMax })),
    ...(yield* validateListInSteps(
      claim.constraints,
      path.child('constraints'),
      (constraint, at) => validateConstraint(constraint, at, names, features),
      { declaredMax },
    )),
    ...(yield* validateListInSteps(
      claim.config,
      path.child('config'),
      (config, at) => [...names.validateReferences(config.requests, at), ...validateConfiguration(config, at)],
      { declaredMax },
    )),
  ];
  if (rules.expressions.attributeCost > maxAttributeCost) {
    errors.push(forbidden(path, 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit'));
  }
  return errors;
}

class RequestRules {
  readonly expressions: ExpressionRules;
  readonly #constrained: ConstrainedAttributes;

  constructor(claim: DeviceClaim, features: FeatureGates) {
    this.expressions = new ExpressionRules(features);
    this.#constrained = new ConstrainedAttributes(claim.constraints ?? []);
  }

  *validate({ name, exactly, firstAvailable = [] }: DeviceRequest, path: FieldPath): Steps<FieldError[]> {
    const errors = validateDnsLabel(name, path.child('name'));
    const oneOf = 'exactly one of `exactly` or `firstAvailable` is required';
    if (exactly !== undefined && firstAvailable.length > 0) {
      return [...errors, invalid(path, new LiteralValue('null'), `${oneOf}, but multiple fields are set`)];
    }
    if (exactly !== undefined) return [...errors, ...(yield* this.#validateExact(exactly, path.child('exactly'), name))];
    if (firstAvailable.length === 0) return [...errors, required(path, oneOf)];
    const subrequests = yield* validateListInSteps(
      firstAvailable,
      path.child('firstAvailable'),
      (sub, at) => this.#validateSub(sub, at, name),
      { declaredMax: maxSubrequests },
    );
    return [...errors, ...subrequests];
  }

  *#validateExact(request: ExactDeviceRequest, path: FieldPath, name: string): Steps<FieldError[]> {
    const { deviceClassName } = request;
    const at = path.child('deviceClassName');
    return [
      ...(deviceClassName === '' ? [required(at, '')] : validateDnsSubdomain(deviceClassName, at)),
      ...(yield* this.#validateDevices(request, path, name)),
    ];
  }

  *#validateSub(request: DeviceSubRequest, path: FieldPath, parent: string): Steps<FieldError[]> {
    const reference = `${parent}/${request.name}`;
    return [...validateDnsLabel(request.name, path.child('name')), ...(yield* this.#validateDevices(request, path, reference))];
  }

  /** What a request and a subrequest have in common. */
  *#validateDevices(request: ExactDeviceRequest | DeviceSubRequest, path: FieldPath, reference: string): Steps<FieldError[]> {
    return [
      ...(yield* this.expressions.validateSelectors(request.selectors, path)),
      ...(yield* validateListInSteps(
        request.derivedAttributes,
        path.child('derivedAttributes'),
        (one, at) => this.#validateDerived(one, at, reference),
        { key: ({ name }) => name },
      )),
      ...validateAllocationMode(request, path),
      ...validateTolerations(request.tolerations, path),
    ];
  }

  #validateDerived({ name, expression }: DeviceDerivedAttribute, path: FieldPath, reference: string): FieldError[] {
    const errors: FieldError[] = [];
    if (name !== '' && !this.#constrained.has(name, reference)) {
      const detail = 'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request';
      errors.push(invalid(path.child('name'), typedValue(name), detail));
    }
    return expression === '' ? errors : [...errors, ...this.expressions.validateAttribute(expression, path.child('expression'))];
  }
}

function validateAllocationMode({ allocationMode = '', count = 0 }: ExactDeviceRequest | DeviceSubRequest, path: FieldPath): FieldError[] {
  const at = path.child('count');
  switch (allocationMode) {
    case 'All':
      return Number(count) === 0 ? [] : [invalid(at, count, "must not be specified when allocationMode is 'All'")];
    case 'ExactCount':
      return count > 0 ? [] : [invalid(at, count, 'must be greater than zero')];
    case '':
      // No mode is only wrong here: v1beta1, which does without for requests with alternatives, cannot declare it.
      return [notSupported(path.child('allocationMode'), typedValue(allocationMode), ['All', 'ExactCount'])];
    default:
      return [];
  }
}

function validateConstraint(constraint: DeviceConstraint, path: FieldPath, names: RequestNames, features: FeatureGates): FieldError[] {
  const errors = names.validateReferences(constraint.requests, path);
  if (constraint.matchAttribute !== undefined || constraint.distinctAttribute !== undefined) return errors;
  if (!features.enabled('DRAConsumableCapacity')) return [...errors, required(path.child('matchAttribute'), '')];
  const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [...errors, required(path, detail)];
}

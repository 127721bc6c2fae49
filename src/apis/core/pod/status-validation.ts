// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodStatusUpdate
import { append } from '../../../machinery/append.ts';
import { duplicate, FieldPath, forbidden, internalError, invalid, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { isIpv4, parseIp } from '../../../machinery/ip.ts';
import { validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { validateImmutable } from '../../../machinery/object-meta-validation.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { PodContext } from '../../common/pod-spec/options.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { problemsOf, validateDnsLabel, validateQualifiedName } from '../../common/pod-spec/rules.ts';
import { validateContainerStatuses } from './container-status-validation.ts';
import type { PodObject } from './pod-object.ts';
import { validateStateTransitions } from './state-transitions.ts';
import { validateAnnotationChanges } from './update-validation.ts';
import { optionsFor } from './validation.ts';

const statusPath = FieldPath.root('status');

export function validateStatusUpdate(pod: PodObject, old: PodObject, context: PodContext): FieldError[] {
  const options = optionsFor(pod, old, context);
  const { status, spec } = pod;
  return [
    ...validateAnnotationChanges(pod, old, options),
    ...validateConditions(status.conditions ?? [], statusPath.child('conditions')),
    ...validateNomination(pod, old, context.features),
    ...validateGeneration(status.observedGeneration, statusPath.child('observedGeneration')),
    ...validateQosClass(status, old.status ?? {}),
    ...validateStateTransitions(pod, old, options, statusPath),
    ...validateClaimStatuses(status.resourceClaimStatuses ?? [], spec, statusPath.child('resourceClaimStatuses')),
    ...validateExtendedClaim(status.extendedResourceClaimStatus, spec, statusPath.child('extendedResourceClaimStatus')),
    ...validatePodIps(status, old.status ?? {}, options.strictIpCidrValidation),
    ...validateHostIps(status, old.status ?? {}, options.strictIpCidrValidation),
    ...validateContainerStatuses(pod, statusPath),
  ];
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

function validateConditions(conditions: readonly core.PodCondition[], path: FieldPath): FieldError[] {
  return conditions.flatMap(({ type, observedGeneration }, index) => {
    const errors = validateGeneration(observedGeneration, path.index(index).child('observedGeneration'));
    // Upstream writes the field's name in upper case.
    return systemConditions.has(type) ? errors : [...errors, ...validateQualifiedName(type, path.index(index).child('Type'))];
  });
}

function validateGeneration(generation: number | bigint | undefined, path: FieldPath): FieldError[] {
  return generation === undefined || generation >= 0 ? [] : [invalid(path, generation, 'must be a non-negative integer')];
}

function validateNomination({ status }: PodObject, old: PodObject, features: FeatureGates): FieldError[] {
  const { nominatedNodeName: name } = status;
  if (!name || name === old.status?.nominatedNodeName) return [];
  const at = statusPath.child('nominatedNodeName');
  const errors = problemsOf(nameIsDnsSubdomain(name, false), name, at);
  if (features.enabled('ClearingNominatedNodeNameAfterBinding') && old.spec.nodeName) {
    errors.push(forbidden(at, 'may not be set on pods that are already bound to a node'));
  }
  return errors;
}

function validateQosClass({ qosClass = '' }: core.PodStatus, old: core.PodStatus): FieldError[] {
  return validateImmutable(qosClass, old.qosClass ?? '', statusPath.child('qosClass')).map((error) =>
    invalid(statusPath.child('qosClass'), typedValue(qosClass), error.detail),
  );
}

function validateClaimStatuses(
  statuses: readonly core.PodResourceClaimStatus[],
  { resourceClaims }: core.PodSpec,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  const claims = new Set(resourceClaims?.map((claim) => claim.name));
  return statuses.flatMap(({ name, resourceClaimName }, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (!claims.has(name)) {
      errors.push(invalid(at.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`'));
    }
    if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    seen.add(name);
    if (resourceClaimName !== undefined) {
      append(
        errors,
        problemsOf(nameIsDnsSubdomain(resourceClaimName, false), typedValue(resourceClaimName), at.child('resourceClaimName')),
      );
    }
    return errors;
  });
}

function validateExtendedClaim(status: core.PodExtendedResourceClaimStatus | undefined, spec: core.PodSpec, path: FieldPath): FieldError[] {
  if (status === undefined) return [];
  const mappings = status.requestMappings ?? [];
  const at = path.child('requestMappings');
  const errors = mappings.length === 0 ? [required(at, 'at least one request mapping is required')] : [];
  const containers = new Map([...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((container) => [container.name, container]));
  const seen = new Set<string>();
  mappings.forEach(({ containerName, resourceName, requestName }, index) => {
    const item = at.index(index);
    const container = containers.get(containerName);
    if (container === undefined) {
      const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      errors.push(invalid(item.child('containerName'), containerName, detail));
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      const detail =
        'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
      errors.push(invalid(item.child('resourceName'), resourceName, detail));
    }
    append(errors, validateDnsLabel(requestName, path.child('requestName')));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      errors.push(duplicate(item.child('containerName'), containerName));
      errors.push(duplicate(item.child('resourceName'), resourceName));
      errors.push(duplicate(item.child('requestName'), requestName));
    }
    seen.add(key);
  });
  const { resourceClaimName: name } = status;
  const namePath = path.child('resourceClaimName');
  return [...errors, ...(name === '' ? [required(namePath, '')] : problemsOf(nameIsDnsSubdomain(name, false), name, namePath))];
}

function validatePodIps(status: core.PodStatus, old: core.PodStatus, strict: boolean): FieldError[] {
  const at = statusPath.child('podIPs');
  const ips = (status.podIPs ?? []).map(({ ip }) => ip);
  const errors = [...validateEach(ips, old.podIPs, at, strict), ...validateFamilies(ips, status.podIPs, at)];
  const { podIP = '' } = status;
  if ((podIP !== '') !== ips.length > 0) {
    errors.push(invalid(at, shownIps(status.podIPs), 'podIP and podIPs must either both be set or both be unset'));
  } else if (ips.length > 0 && podIP !== ips[0]) errors.push(invalid(at.index(0).child('ip'), ips[0], 'must be equal to `podIP`'));
  return errors;
}

function validateHostIps(status: core.PodStatus, old: core.PodStatus, strict: boolean): FieldError[] {
  const at = statusPath.child('hostIPs');
  const ips = (status.hostIPs ?? []).map(({ ip }) => ip);
  if (ips.length === 0) return [];
  const errors = (status.hostIP ?? '') === ips[0] ? [] : [invalid(at.index(0).child('ip'), ips[0], 'must be equal to `hostIP`')];
  return [...errors, ...validateEach(ips, old.hostIPs, at, strict), ...validateFamilies(ips, status.hostIPs, at)];
}

/** What was stored before may stay, valid or not. */
function validateEach(
  ips: readonly string[],
  old: readonly { readonly ip: string }[] | undefined,
  path: FieldPath,
  strict: boolean,
): FieldError[] {
  const known = (old ?? []).map(({ ip }) => ip);
  return ips.flatMap((ip, index) => validateLegacyIp(ip, path.index(index), strict, known));
}

/** One address per family. */
function validateFamilies(ips: readonly string[], list: core.PodStatus['podIPs'], path: FieldPath): FieldError[] {
  if (ips.length <= 1) return [];
  const errors: FieldError[] = [];
  const parsed = ips.map(parseIp);
  const bad = ips.find((_, index) => parsed[index] === undefined);
  if (bad !== undefined) errors.push(internalError(path, `failed to check for dual stack with error:ip ${bad} is invalid`));
  const families = new Set(parsed.map((ip) => ip !== undefined && isIpv4(ip)));
  if (bad !== undefined || families.size < 2 || ips.length > 2) {
    errors.push(invalid(path, shownIps(list), 'may specify no more than one IP for each IP family'));
  }
  return errors;
}

/** As upstream shows its own type. */
function shownIps(list: core.PodStatus['podIPs']): unknown {
  return list === undefined ? null : list.map(({ ip }) => ({ IP: ip }));
}

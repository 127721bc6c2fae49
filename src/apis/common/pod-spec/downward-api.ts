// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateObjectFieldSelector, #validateContainerResourceFieldSelector
// Upstream: k8s.io/kubernetes/pkg/apis/core/pods/helpers.go
import { append } from '../../../machinery/append.ts';
import { invalid, notSupported, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { validateFileMode, validateLocalNonReservedPath, validateQualifiedName, validateRequired, validateUser } from './rules.ts';

export const envFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
] as const;

const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'] as const;

const knownLabels: ReadonlySet<string> = new Set([
  ...envFieldPaths,
  ...volumeFieldPaths,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

const resourcePaths = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
] as const;
const hugePagesPath = /^(?:requests|limits)\.hugepages-/;

/** `metadata.labels['app']` → its path and key; undefined without a subscript. */
function splitSubscript(label: string): { readonly path: string; readonly subscript: string } | undefined {
  const at = label.indexOf("['", 1);
  if (at < 0 || !label.endsWith("']") || label.length < at + 4) return undefined;
  return { path: label.slice(0, at), subscript: label.slice(at + 2, -2) };
}

/** The label in today's words, or what is wrong with it. */
function convertLabel(version: string, label: string): { readonly label: string } | { readonly problem: string } {
  if (version !== 'v1') return { problem: `unsupported pod version: ${version}` };
  const subscripted = splitSubscript(label);
  if (subscripted !== undefined) {
    const { path } = subscripted;
    if (path === 'metadata.annotations' || path === 'metadata.labels') return { label };
    return { problem: `field label does not support subscript: ${label}` };
  }
  // Clients of long ago say spec.host.
  if (label === 'spec.host') return { label: 'spec.nodeName' };
  return knownLabels.has(label) ? { label } : { problem: `field label not supported: ${label}` };
}

export function validateFieldRef(
  { apiVersion = '', fieldPath }: core.ObjectFieldSelector,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (apiVersion === '') return [required(path.child('apiVersion'), '')];
  if (fieldPath === '') return [required(path.child('fieldPath'), '')];
  const converted = convertLabel(apiVersion, fieldPath);
  if ('problem' in converted) return [invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${converted.problem}`)];
  const subscripted = splitSubscript(converted.label);
  if (subscripted === undefined) {
    return supported.includes(converted.label) ? [] : [notSupported(path.child('fieldPath'), converted.label, supported)];
  }
  const { path: base, subscript } = subscripted;
  return validateQualifiedName(base === 'metadata.annotations' ? subscript.toLowerCase() : subscript, path);
}

export function validateResourceFieldRef(reference: core.ResourceFieldSelector, path: FieldPath, inVolume: boolean): FieldError[] {
  const { containerName = '', resource, divisor } = reference;
  const errors: FieldError[] = [];
  if (inVolume && containerName === '') errors.push(required(path.child('containerName'), ''));
  else if (resource === '') errors.push(required(path.child('resource'), ''));
  else if (!(resourcePaths as readonly string[]).includes(resource) && !hugePagesPath.test(resource)) {
    errors.push(notSupported(path.child('resource'), resource, resourcePaths));
  }
  return [...errors, ...validateDivisor(resource, divisor ?? '0', path.child('divisor'))];
}

const cpuDivisors = ['1m', '1'];
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function validateDivisor(resource: string, divisor: string, path: FieldPath): FieldError[] {
  const quantity = Quantity.parse(divisor);
  if (quantity.isZero) return [];
  const text = quantity.toString();
  const kind = resource.slice(resource.indexOf('.') + 1);
  if (kind === 'cpu') {
    return cpuDivisors.includes(text)
      ? []
      : [invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  }
  const noun = hugePagesPath.test(resource) ? 'hugepages' : { memory: 'memory', 'ephemeral-storage': 'local ephemeral storage' }[kind];
  if (noun === undefined || byteDivisors.includes(text)) return [];
  return [invalid(path, resource, `only divisor's values ${byteDivisors.join(', ')} are supported with the ${noun} resource`)];
}

/** Errors of all files are reported at the volume, without an index, as by upstream. */
export function validateDownwardApiFile(file: core.DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const errors = [...validateRequired(file.path, path.child('path')), ...validateLocalNonReservedPath(file.path, path.child('path'))];
  if (file.fieldRef !== undefined) {
    append(errors, validateFieldRef(file.fieldRef, volumeFieldPaths, path.child('fieldRef')));
    if (file.resourceFieldRef !== undefined) {
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (file.resourceFieldRef !== undefined) {
    append(errors, validateResourceFieldRef(file.resourceFieldRef, path.child('resourceFieldRef'), true));
  } else {
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...validateFileMode(file.mode, path.child('mode')), ...validateUser(file.user, path.child('user'))];
}

export function validateDownwardApiVolume(volume: core.DownwardAPIVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...validateFileMode(volume.defaultMode, path.child('defaultMode')),
    ...validateUser(volume.defaultUser, path.child('defaultUser')),
    ...(volume.items ?? []).flatMap((file) => validateDownwardApiFile(file, path)),
  ];
}

// Upstream: k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#validateIngressBackend
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, required } from '../../../machinery/field.ts';
import {
  checkDns1123Subdomain,
  checkPortName,
  checkPortNumber,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsPathSegment,
} from '../../../machinery/names.ts';
import type { TypedLocalObjectReference } from '../../../schema/types/core-v1.ts';
import type { IngressBackend, IngressServiceBackend, IngressSpec } from '../../../schema/types/networking-v1.ts';

export interface BackendOptions {
  /** names of services may begin with a digit */
  readonly relaxedServiceNames: boolean;
}

export function validateBackend({ service, resource }: IngressBackend, path: FieldPath, options: BackendOptions): FieldError[] {
  if (service !== undefined && resource !== undefined) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return validateResource(resource, path.child('resource'));
  if (service !== undefined) return validateService(service, path, options);
  return [invalid(path, '', 'resource or service backend is required')];
}

function validateResource(reference: TypedLocalObjectReference, path: FieldPath): FieldError[] {
  const { apiGroup } = reference;
  const errors =
    typeof apiGroup === 'string'
      ? checkDns1123Subdomain(apiGroup).map((problem) => invalid(path.child('apiGroup'), apiGroup, problem))
      : [];
  for (const member of ['kind', 'name'] as const) {
    const value = reference[member];
    if (value === '') errors.push(required(path.child(member), ''));
    else
      append(
        errors,
        nameIsPathSegment(value, false).map((problem) => invalid(path.child(member), value, problem)),
      );
  }
  return errors;
}

function validateService(
  { name, port = {} }: IngressServiceBackend,
  path: FieldPath,
  { relaxedServiceNames }: BackendOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const rule = relaxedServiceNames ? nameIsDnsLabel : nameIsDns1035Label;
  if (name === '') errors.push(required(path.child('service', 'name'), ''));
  else
    append(
      errors,
      rule(name, false).map((problem) => invalid(path.child('service', 'name'), name, problem)),
    );

  const portPath = path.child('service', 'port');
  const { name: portName = '', number = 0 } = port;
  if (portName !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (portName !== '')
    append(
      errors,
      checkPortName(portName).map((problem) => invalid(portPath.child('name'), portName, problem)),
    );
  else if (number !== 0)
    append(
      errors,
      checkPortNumber(number).map((problem) => invalid(portPath.child('number'), number, problem)),
    );
  else errors.push(required(path, 'port name or number is required'));
  return errors;
}

/** A service's name that only the newer rule takes is stored already. */
export function needsRelaxedNames({ defaultBackend, rules = [] }: IngressSpec): boolean {
  const backends = [defaultBackend, ...rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))];
  return backends.some((backend) => {
    const name = backend?.service?.name;
    return name !== undefined && nameIsDns1035Label(name, false).length > 0 && nameIsDnsLabel(name, false).length === 0;
  });
}

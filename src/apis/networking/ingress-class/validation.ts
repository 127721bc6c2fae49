// Upstream: k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#ValidateIngressClass
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, notSupported, required, tooLong } from '../../../machinery/field.ts';
import { checkDns1123Subdomain, isLongerThan, nameIsDnsLabel, nameIsPathSegment } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { validateDomainPrefixedPath } from '../../../machinery/qualified-names.ts';
import type { IngressClass, IngressClassParametersReference } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';

type Class = IngressClass & KubeObject;

const controllerMaxBytes = 250;
const controllerPath = Path.root('spec', 'controller');
const scopes: readonly string[] = ['Cluster', 'Namespace'];

export function validate({ spec: { controller = '', parameters } }: Class): FieldError[] {
  const errors: FieldError[] = isLongerThan(controller, controllerMaxBytes) ? [tooLong(controllerPath, controllerMaxBytes)] : [];
  append(errors, validateDomainPrefixedPath(controller, controllerPath));
  if (parameters !== undefined) append(errors, validateParameters(parameters, Path.root('spec', 'parameters')));
  return errors;
}

export function validateUpdate(ingressClass: Class, old: Class): FieldError[] {
  const controller = ingressClass.spec.controller ?? '';
  const errors = controller === (old.spec.controller ?? '') ? [] : [invalid(controllerPath, controller, fieldImmutableMessage)];
  return [...errors, ...validateMetadata(ingressClass.metadata, false), ...validate(ingressClass)];
}

function validateParameters(parameters: IngressClassParametersReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { apiGroup, scope, namespace } = parameters;
  if (apiGroup !== undefined) {
    append(
      errors,
      checkDns1123Subdomain(apiGroup).map((problem) => invalid(path.child('apiGroup'), apiGroup, problem)),
    );
  }
  for (const member of ['kind', 'name'] as const) {
    const value = parameters[member];
    if (value === '') errors.push(required(path.child(member), ''));
    else
      append(
        errors,
        nameIsPathSegment(value, false).map((problem) => invalid(path.child(member), value, problem)),
      );
  }
  const namespacePath = path.child('namespace');
  if (scope === null) errors.push(required(path.child('scope'), ''));
  else if (!scopes.includes(scope)) errors.push(notSupported(path.child('scope'), scope, scopes));
  else if (scope === 'Cluster') {
    if (namespace !== undefined) errors.push(forbidden(namespacePath, "`parameters.scope` is set to 'Cluster'"));
  } else if (namespace === undefined) errors.push(required(namespacePath, "`parameters.scope` is set to 'Namespace'"));
  else
    append(
      errors,
      nameIsDnsLabel(namespace, false).map((problem) => invalid(namespacePath, namespace, problem)),
    );
  return errors;
}

// Upstream: pkg/apis/networking/validation/validation.go (ValidateIngressClass)
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, notSupported, required, tooLong } from '../../../machinery/field.ts';
import { isDns1123Subdomain, isLongerThan, nameIsDnsLabel, nameIsPathSegment } from '../../../machinery/names.ts';
import { FIELD_IMMUTABLE_MESSAGE } from '../../../machinery/object-meta-validation.ts';
import { validateDomainPrefixedPath } from '../../../machinery/qualified-names.ts';
import type { IngressClass, IngressClassParametersReference } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { Findings } from '../../common/findings.ts';

type Class = IngressClass & KubeObject;

const controllerMaxBytes = 250;
const controllerPath = Path.root('spec', 'controller');
const scopes: readonly string[] = ['Cluster', 'Namespace'];

export function validate({ spec: { controller = '', parameters } }: Class): FieldError[] {
  const findings = new Findings();
  if (isLongerThan(controller, controllerMaxBytes)) findings.add(tooLong(controllerPath, controllerMaxBytes));
  findings.add(...validateDomainPrefixedPath(controller, controllerPath));
  if (parameters !== undefined) collectParameters(parameters, Path.root('spec', 'parameters'), findings);
  return findings.errors;
}

export function validateUpdate(ingressClass: Class, old: Class): FieldError[] {
  const controller = ingressClass.spec.controller ?? '';
  const errors = controller === (old.spec.controller ?? '') ? [] : [invalid(controllerPath, controller, FIELD_IMMUTABLE_MESSAGE)];
  return [...errors, ...validateMetadata(ingressClass.metadata, false), ...validate(ingressClass)];
}

function collectParameters(parameters: IngressClassParametersReference, path: FieldPath, findings: Findings): void {
  const { apiGroup, scope, namespace } = parameters;
  if (apiGroup !== undefined) {
    findings.add(...isDns1123Subdomain(apiGroup).map((problem) => invalid(path.child('apiGroup'), apiGroup, problem)));
  }
  for (const member of ['kind', 'name'] as const) {
    const value = parameters[member];
    if (value === '') findings.declare(required(path.child(member), ''));
    else findings.add(...nameIsPathSegment(value, false).map((problem) => invalid(path.child(member), value, problem)));
  }
  const namespacePath = path.child('namespace');
  if (scope === null) findings.add(required(path.child('scope'), ''));
  else if (!scopes.includes(scope)) findings.add(notSupported(path.child('scope'), scope, scopes));
  else if (scope === 'Cluster') {
    if (namespace !== undefined) findings.add(forbidden(namespacePath, "`parameters.scope` is set to 'Cluster'"));
  } else if (namespace === undefined) findings.add(required(namespacePath, "`parameters.scope` is set to 'Namespace'"));
  else findings.add(...nameIsDnsLabel(namespace, false).map((problem) => invalid(namespacePath, namespace, problem)));
}

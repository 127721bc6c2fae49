// Upstream: k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#ValidateIngress
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, invalid, required } from '../../../machinery/field.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { parseIp } from '../../../machinery/ip.ts';
import { validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { checkDns1123Subdomain, checkWildcardDns1123Subdomain, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { Ingress, IngressRule, IngressTLS } from '../../../schema/types/networking-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { needsRelaxedNames, validateBackend } from './backend-validation.ts';
import { validatePath } from './path-validation.ts';

type IngressObject = Ingress & KubeObject;

/** What the stored ingress has already, and may keep. */
export interface Options {
  readonly allowInvalidSecretName: boolean;
  readonly allowInvalidWildcardRule: boolean;
  readonly relaxedServiceNames: boolean;
}

export const classAnnotation = 'kubernetes.io/ingress.class';
const specPath = Path.root('spec');

export function validate(ingress: IngressObject, { features }: WriteContext): FieldError[] {
  const relaxedServiceNames = features.enabled('RelaxedServiceNameValidation');
  const errors = validateSpec(ingress, { allowInvalidSecretName: false, allowInvalidWildcardRule: false, relaxedServiceNames });
  const annotation = ingress.metadata.annotations?.[classAnnotation];
  const { ingressClassName } = ingress.spec;
  if (annotation !== undefined && ingressClassName !== undefined && annotation !== ingressClassName) {
    const path = Path.root('annotations', classAnnotation);
    errors.push(invalid(path, annotation, 'must match `ingressClassName` when both are specified'));
  }
  return errors;
}

export function validateUpdate(ingress: IngressObject, old: IngressObject, { features }: WriteContext): FieldError[] {
  const relaxedServiceNames = features.enabled('RelaxedServiceNameValidation') || needsRelaxedNames(old.spec);
  const strict: Options = { allowInvalidSecretName: false, allowInvalidWildcardRule: false, relaxedServiceNames };
  const options: Options = {
    relaxedServiceNames,
    allowInvalidSecretName: (old.spec.tls ?? []).some(({ secretName }) => secretNameProblems(secretName).length > 0),
    allowInvalidWildcardRule: (old.spec.rules ?? []).some(
      (rule) => rule.host?.includes('*') && validateRuleValue(rule, specPath, strict).length > 0,
    ),
  };
  return [...validateMetadata(ingress.metadata, true), ...validateSpec(ingress, options)];
}

function validateSpec({ spec }: IngressObject, options: Options): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  const errors: FieldError[] = [];
  if (rules.length === 0 && defaultBackend === undefined) {
    errors.push(invalid(specPath, asPrinted(spec, 'rules', []), 'either `defaultBackend` or `rules` must be specified'));
  }
  if (defaultBackend !== undefined) append(errors, validateBackend(defaultBackend, specPath.child('defaultBackend'), options));
  rules.forEach((rule, index) => append(errors, validateRule(rule, specPath.child('rules').index(index), options)));
  tls.forEach((entry, index) => append(errors, validateTls(entry, specPath.child('tls').index(index), options)));
  if (ingressClassName !== undefined) {
    const path = specPath.child('ingressClassName');
    append(
      errors,
      nameIsDnsSubdomain(ingressClassName, false).map((problem) => invalid(path, ingressClassName, problem)),
    );
  }
  return errors;
}

function validateRule(rule: IngressRule, path: FieldPath, options: Options): FieldError[] {
  const { host = '' } = rule;
  const errors: FieldError[] = [];
  const wildcard = host.includes('*');
  if (host !== '') {
    if (parseIp(host) !== undefined) errors.push(invalid(path.child('host'), host, 'must be a DNS name, not an IP address'));
    append(
      errors,
      hostProblems(host).map((problem) => invalid(path.child('host'), host, problem)),
    );
  }
  if (wildcard && options.allowInvalidWildcardRule) return errors;
  return [...errors, ...validateRuleValue(rule, path, options)];
}

function hostProblems(host: string): readonly string[] {
  return host.includes('*') ? checkWildcardDns1123Subdomain(host) : checkDns1123Subdomain(host);
}

function validateRuleValue({ http }: IngressRule, path: FieldPath, options: Options): FieldError[] {
  if (http === undefined) return [];
  const at = path.child('http', 'paths');
  const paths = http.paths ?? [];
  const errors = paths.length === 0 ? [required(at, '')] : [];
  return [...errors, ...paths.flatMap((one, index) => validatePath(one, at.index(index), options))];
}

function validateTls({ hosts = [], secretName }: IngressTLS, path: FieldPath, { allowInvalidSecretName }: Options): FieldError[] {
  const errors = hosts.flatMap((host, index) =>
    hostProblems(host).map((problem) => invalid(path.child('hosts').index(index), host, problem)),
  );
  if (allowInvalidSecretName) return errors;
  return [...errors, ...secretNameProblems(secretName).map((problem) => invalid(path.child('secretName'), secretName, problem))];
}

function secretNameProblems(name: string | undefined): readonly string[] {
  return name ? nameIsDnsSubdomain(name, false) : [];
}

export function validateStatusUpdate({ status }: IngressObject, old: IngressObject, { features }: WriteContext): FieldError[] {
  const known = (old.status.loadBalancer.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  const strict = features.enabled('StrictIPCIDRValidation');
  return (status.loadBalancer.ingress ?? []).flatMap(({ ip, hostname }, index) => {
    const path = Path.root('status', 'loadBalancer', 'ingress').index(index);
    const errors = ip ? validateLegacyIp(ip, path.child('ip'), strict, known) : [];
    if (!hostname) return errors;
    append(
      errors,
      checkDns1123Subdomain(hostname).map((problem) => invalid(path.child('hostname'), hostname, problem)),
    );
    if (parseIp(hostname) !== undefined) {
      errors.push(invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
    }
    return errors;
  });
}

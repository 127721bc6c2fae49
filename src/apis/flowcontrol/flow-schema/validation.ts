// Upstream: k8s.io/kubernetes/pkg/apis/flowcontrol/validation/validation.go#ValidateFlowSchema
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { checkDns1123Label, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../schema/types/flowcontrol-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { exemptName, flowControlGroup, mandatoryFlowSchemas } from '../../common/flow-control/mandatory.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type FlowSchemaObject = FlowSchema & KubeObject;

const all = '*';
const maxPrecedence = 10_000;
const distinguishers = ['ByNamespace', 'ByUser'];
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const specPath = FieldPath.root('spec');

export function validateFlowSchema({ metadata, spec }: FlowSchemaObject, { reader }: WriteContext): FieldError[] {
  const { name = '' } = metadata;
  const errors = validateSpec(name, spec);
  const fixed = mandatoryFlowSchemas[name];
  if (fixed !== undefined && !semanticDeepEqual(spec, fixed)) {
    const type = typeAt(reader.resource(flowControlGroup, 'flowschemas').storage.type, 'spec');
    errors.push(invalid(specPath, internalValue(type, spec), `spec of '${name}' must equal the fixed value`));
  }
  return errors;
}

function validateSpec(name: string, spec: FlowSchemaSpec): FieldError[] {
  const { distinguisherMethod: distinguisher, priorityLevelConfiguration: level } = spec;
  const errors = validatePrecedence(name, spec.matchingPrecedence ?? 0);
  if (distinguisher && !distinguishers.includes(distinguisher.type)) {
    errors.push(notSupported(specPath.child('distinguisherMethod', 'type'), { Type: distinguisher.type }, distinguishers));
  }
  const levelPath = specPath.child('priorityLevelConfiguration', 'name');
  if (!level?.name) errors.push(required(levelPath, 'must reference a priority level'));
  else
    append(
      errors,
      nameIsDnsSubdomain(level.name, false).map((why) => invalid(levelPath, level.name, why)),
    );
  spec.rules?.forEach((rule, index) => append(errors, validateRules(rule, specPath.child('rules').index(index))));
  return errors;
}

function validatePrecedence(name: string, precedence: number): FieldError[] {
  const at = specPath.child('matchingPrecedence');
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(invalid(at, precedence, 'must be a positive value'));
  if (precedence > maxPrecedence) errors.push(invalid(at, precedence, `must not be greater than ${maxPrecedence}`));
  if (precedence === 1 && name !== exemptName) {
    errors.push(invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  }
  return errors;
}

function validateRules(rules: PolicyRulesWithSubjects, path: FieldPath): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rules;
  const subjects = rules.subjects ?? [];
  const errors = subjects.flatMap((subject, index) => validateSubject(subject, path.child('subjects').index(index)));
  if (subjects.length === 0) errors.push(required(path.child('subjects'), 'subjects must contain at least one value'));
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  resourceRules.forEach((rule, index) => append(errors, validateResourceRule(rule, path.child('resourceRules').index(index))));
  nonResourceRules.forEach((rule, index) => append(errors, validateNonResourceRule(rule, path.child('nonResourceRules').index(index))));
  return errors;
}

/** By field, in the order in which upstream speaks of those that do not belong. */
const subjectKinds = { serviceAccount: 'ServiceAccount', user: 'User', group: 'Group' } as const;
type SubjectField = keyof typeof subjectKinds;

function validateSubject(subject: Subject, path: FieldPath): FieldError[] {
  const fields = Object.keys(subjectKinds) as SubjectField[];
  const own = fields.find((field) => subjectKinds[field] === subject.kind);
  if (own === undefined) return [notSupported(path.child('kind'), typedValue(subject.kind), Object.values(subjectKinds).toSorted())];
  const foreign = fields.filter((field) => field !== own && subject[field] !== undefined);
  return [
    ...validateOwn(subject, own, path.child(own)),
    ...foreign.map((field) => forbidden(path.child(field), `${field} is forbidden when subject kind is not '${subjectKinds[field]}'`)),
  ];
}

function validateOwn(subject: Subject, own: SubjectField, path: FieldPath): FieldError[] {
  const named = subject[own];
  if (!named) return [required(path, `${own} is required when subject kind is '${subjectKinds[own]}'`)];
  const errors = named.name ? [] : [required(path.child('name'), '')];
  if (own !== 'serviceAccount') return errors;
  const { name, namespace } = subject.serviceAccount ?? {};
  if (name && name !== all)
    append(
      errors,
      nameIsDnsSubdomain(name, false).map((why) => invalid(path.child('name'), name, why)),
    );
  const at = path.child('namespace');
  if (!namespace) errors.push(required(at, 'must specify namespace for service account'));
  else
    append(
      errors,
      checkDns1123Label(namespace).map((why) => invalid(at, namespace, why)),
    );
  return errors;
}

function validateResourceRule(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  const at = path.child('namespaces');
  const errors = [
    ...validateVerbs(rule.verbs, path),
    ...validateList(rule.apiGroups, path.child('apiGroups'), 'resource rules must supply at least one api group', 'api groups'),
    ...validateList(rule.resources, path.child('resources'), 'resource rules must supply at least one resource', 'resources'),
  ];
  if (namespaces.length === 0 && !rule.clusterScope) {
    errors.push(required(at, 'resource rules that are not cluster scoped must supply at least one namespace'));
  } else if (namespaces.includes(all)) {
    append(errors, notAlone(namespaces, at, 'namespaces'));
  } else {
    namespaces.forEach((namespace, index) => {
      const faults = checkDns1123Label(namespace).map((why) => `each member of this list must be '*' or a DNS-1123 label; ${why}`);
      append(
        errors,
        faults.map((why) => invalid(at.index(index), namespace, why)),
      );
    });
  }
  return errors;
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: FieldPath): FieldError[] {
  const at = path.child('nonResourceURLs');
  const urls = rule.nonResourceURLs ?? [];
  const errors = [
    ...validateVerbs(rule.verbs, path),
    ...validateList(urls, at, 'nonResourceURLs must contain at least one value', 'non-resource URLs'),
  ];
  if (urls.includes(all)) return errors;
  urls.forEach((url, index) => {
    const why = urlFault(url);
    if (why !== undefined) errors.push(invalid(at.index(index), url, why));
  });
  return errors;
}

function validateVerbs(given: readonly string[] | null, path: FieldPath): FieldError[] {
  const at = path.child('verbs');
  const errors = validateList(given, at, 'verbs must contain at least one value', 'verbs');
  const unknown = given?.some((verb) => !verbs.includes(verb)) && !given.includes(all);
  return unknown ? [...errors, notSupported(at, given, verbs)] : errors;
}

function validateList(given: readonly string[] | null, path: FieldPath, whenEmpty: string, what: string): FieldError[] {
  if (!given?.length) return [required(path, whenEmpty)];
  return given.includes(all) ? notAlone(given, path, what) : [];
}

function notAlone(given: readonly string[], path: FieldPath, what: string): FieldError[] {
  return given.length > 1 ? [invalid(path, given, `if '*' is present, must not specify other ${what}`)] : [];
}

function urlFault(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcards = url.split(all).length - 1;
  return wildcards > 1 || (wildcards === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}

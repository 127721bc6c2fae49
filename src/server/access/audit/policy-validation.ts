// Upstream: k8s.io/apiserver/pkg/apis/audit/validation/validation.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, notSupported, required } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { GroupResources, Policy, PolicyRule } from '../../../schema/types/audit-v1.ts';
import { levels, stages } from './level.ts';

export function validatePolicy({ omitStages, rules }: Policy): FieldError[] {
  const path = FieldPath.root('rules');
  return [
    ...validateOmitStages(omitStages, FieldPath.root('omitStages')),
    ...(rules ?? []).flatMap((rule, index) => validateRule(rule, path.index(index))),
  ];
}

function validateRule(rule: PolicyRule, path: FieldPath): FieldError[] {
  const { nonResourceURLs = [], resources = [], namespaces = [] } = rule;
  const both = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...validateLevel(rule.level, path.child('level')),
    ...nonResourceURLs.flatMap((url, index) => [...validateUrl(url, path.child('nonResourceURLs').index(index))]),
    ...resources.flatMap((one) => [...validateResources(one, path.child('resources'))]),
    ...validateOmitStages(rule.omitStages, path.child('omitStages')),
    ...(both
      ? [invalid(path.child('nonResourceURLs'), nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function validateLevel(level: string | undefined, path: FieldPath): FieldError[] {
  if (!level) return [required(path, '')];
  return levels.some((one) => one === level) ? [] : [notSupported(path, level, levels)];
}

function* validateUrl(url: string, path: FieldPath): Iterable<FieldError> {
  if (url === '*') return;
  if (!url.startsWith('/')) yield invalid(path, url, "non-resource URL rules must begin with a '/' character");
  if (url.slice(0, -1).includes('*')) yield invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule");
}

/** Without an index: so does upstream. */
function* validateResources({ group = '', resources = [], resourceNames = [] }: GroupResources, path: FieldPath): Iterable<FieldError> {
  if (group !== '' && group !== '*') {
    const problems = nameIsDnsSubdomain(group, false);
    if (problems.length > 0) yield invalid(path.child('group'), group, problems.join(','));
  }
  if (resourceNames.length > 0 && resources.length === 0) {
    yield invalid(path.child('resourceNames'), resourceNames, 'using resourceNames requires at least one resource');
  }
}

function validateOmitStages(omitted: readonly string[] = [], path: FieldPath): FieldError[] {
  return omitted.flatMap((stage, index) =>
    stages.some((one) => one === stage) ? [] : [invalid(path.index(index), stage, `allowed stages are ${stages.join(',')}`)],
  );
}

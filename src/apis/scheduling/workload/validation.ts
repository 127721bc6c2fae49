// Upstream: k8s.io/kubernetes/pkg/apis/scheduling/validation/validation.go#ValidateWorkloadSpec
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid } from '../../../machinery/field.ts';
import type { CompositePodGroupTemplate, PodGroupTemplate, Workload, WorkloadSpec } from '../../../schema/types/scheduling-v1beta1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type WorkloadObject = Workload & KubeObject;

type Composite = CompositePodGroupTemplate;

const specPath = Path.root('spec');
const maxDepth = 4;

/** Rules about the tree of templates; those about single ones are declared. */
export function validate({ spec }: WorkloadObject, { reader }: WriteContext): FieldError[] {
  const composites = spec.compositePodGroupTemplates ?? [];
  const path = specPath.child('compositePodGroupTemplates');
  const names = new Set(spec.podGroupTemplates?.map(({ name }) => name));
  return [
    ...validateNames(composites, specPath, names),
    ...composites.flatMap((composite, index) => {
      if (depthOf(composite) < maxDepth) return [];
      const type = typeAt(reader.resource('scheduling.k8s.io', 'workloads').storage.type, 'spec', 'compositePodGroupTemplates');
      const shown = internalValue(type, composite.compositePodGroupTemplates);
      return [invalid(path.index(index), shown, `maximum template hierarchy depth is ${maxDepth}`)];
    }),
    ...validatePriorities(spec),
    ...composites.flatMap((composite, index) => validateChildren(composite, path.index(index))),
  ];
}

/** Names are unique in the whole tree. That they are within one list is declared and not said twice. */
function validateNames(composites: readonly Composite[], path: FieldPath, names: Set<string>): FieldError[] {
  const listPath = path.child('compositePodGroupTemplates');
  const errors = claimNames(composites, listPath, names);
  composites.forEach(({ podGroupTemplates = [], compositePodGroupTemplates = [] }, index) => {
    const at = listPath.index(index);
    append(errors, claimNames(podGroupTemplates, at.child('podGroupTemplates'), names));
    append(errors, validateNames(compositePodGroupTemplates, at, names));
  });
  return errors;
}

function claimNames(templates: readonly { readonly name: string }[], path: FieldPath, names: Set<string>): FieldError[] {
  const errors = templates.flatMap(({ name }, index) => (names.has(name) ? [duplicate(path.index(index).child('name'), name)] : []));
  for (const { name } of templates) names.add(name);
  return errors;
}

function depthOf({ compositePodGroupTemplates: children = [] }: Composite): number {
  return 1 + Math.max(0, ...children.map(depthOf));
}

/** All templates have one priority. */
function validatePriorities(spec: WorkloadSpec): FieldError[] {
  const simple = (spec.podGroupTemplates ?? []).map(priorityOf);
  if (new Set(simple).size > 1) return [invalid(specPath, null, 'detected multiple priority configurations')];
  const all = [...simple, ...(spec.compositePodGroupTemplates ?? []).flatMap(prioritiesOf)];
  if (new Set(all).size <= 1) return [];
  return [invalid(specPath, null, 'all priority and priorityClassName values must be identical, detected multiple values')];
}

function prioritiesOf(composite: Composite): string[] {
  const { podGroupTemplates = [], compositePodGroupTemplates = [] } = composite;
  return [priorityOf(composite), ...podGroupTemplates.map(priorityOf), ...compositePodGroupTemplates.flatMap(prioritiesOf)];
}

function priorityOf({ priorityClassName = '', priority }: PodGroupTemplate | Composite): string {
  return JSON.stringify([priorityClassName, priority ?? null]);
}

function validateChildren({ name, podGroupTemplates = [], compositePodGroupTemplates = [] }: Composite, path: FieldPath): FieldError[] {
  const isEmpty = podGroupTemplates.length === 0 && compositePodGroupTemplates.length === 0;
  return [
    ...(isEmpty ? [invalid(path, name, 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate')] : []),
    ...compositePodGroupTemplates.flatMap((child, index) => validateChildren(child, path.child('compositePodGroupTemplates').index(index))),
  ];
}

// Upstream: k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go
import type { Labels } from '../../machinery/labels.ts';
import { requirement } from '../../machinery/labels.ts';
import type { LabelOperator } from '../../machinery/labels.ts';
import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../schema/types/core-v1.ts';

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/** Whether one of the terms meets the node; a term without conditions meets none. */
export function selectsNode({ nodeSelectorTerms }: NodeSelector, { metadata }: Node): boolean {
  const fields = { 'metadata.name': metadata.name ?? '' };
  return (nodeSelectorTerms ?? []).some(
    (term) => !isEmpty(term) && meets(term.matchExpressions, metadata.labels ?? {}) && meets(term.matchFields, fields),
  );
}

function isEmpty({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  return matchExpressions.length === 0 && matchFields.length === 0;
}

function meets(requirements: readonly NodeSelectorRequirement[] = [], labels: Labels): boolean {
  return requirements.every(({ key, operator, values = [] }) => requirement(key, operators[operator] ?? 'exists', values).matches(labels));
}

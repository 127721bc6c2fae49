// Upstream: k8s.io/kubernetes/pkg/api/node/util.go
import type { FieldPath } from '../../machinery/field.ts';
import type { LabelSelector } from '../../schema/types/meta-v1.ts';
import { checkLabelValue } from '../../machinery/names.ts';
import type { NodeSelectorTerm } from '../../schema/types/core-v1.ts';

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** What to use instead of a label of nodes; undefined when it is not deprecated. */
export function deprecatedNodeLabel(key: string): string | undefined {
  return Object.hasOwn(deprecatedLabels, key) ? deprecatedLabels[key] : undefined;
}

export function nodeSelectorTermWarnings(term: NodeSelectorTerm, path: FieldPath, checkValues: boolean): string[] {
  return (term.matchExpressions ?? []).flatMap(({ key, values = [] }, index) => {
    const at = path.child('matchExpressions').index(index);
    const warnings: string[] = [];
    const message = deprecatedNodeLabel(key);
    if (message !== undefined) warnings.push(`${at.child('key')}: ${key} is ${message}`);
    if (!checkValues) return warnings;
    values.forEach((value, position) => {
      for (const problem of checkLabelValue(value)) warnings.push(`${at.child('values').index(position)}: ${value} is invalid, ${problem}`);
    });
    return warnings;
  });
}

/** A selector of nodes that is written as one of labels. */
export function nodeSelectorWarnings(selector: LabelSelector | undefined, path: FieldPath): string[] {
  const { matchExpressions = [], matchLabels = {} } = selector ?? {};
  return [
    ...nodeSelectorTermWarnings({ matchExpressions }, path, false),
    ...Object.keys(matchLabels).flatMap((label) => {
      const message = deprecatedNodeLabel(label);
      return message === undefined ? [] : [`${path.child('matchLabels', label)}: ${message}`];
    }),
  ];
}

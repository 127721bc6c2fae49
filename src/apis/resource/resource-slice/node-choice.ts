// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateResourceSliceSpec, #validateDevice
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid } from '../../../machinery/field.ts';
import type { NodeSelector } from '../../../schema/types/core-v1.ts';
import { validateNodeName } from '../../common/device/names.ts';
import { validateNodeSelector } from '../../common/pod-spec/affinity.ts';

export interface NodeChoice {
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
}

/** Where devices are, as a slice or one of its devices says; `set` names the ways that are used, for exactly one may be. */
export function validateNodeChoice(
  { nodeName, nodeSelector, allNodes }: NodeChoice,
  path: FieldPath,
  emptyNameDetail: string,
  selectorRule: (selector: NodeSelector, path: FieldPath) => readonly FieldError[] = () => [],
): { readonly set: string[]; readonly errors: FieldError[] } {
  const set: string[] = [];
  const errors: FieldError[] = [];
  if (nodeName === '') {
    errors.push(invalid(path.child('nodeName'), nodeName, emptyNameDetail));
  } else if (nodeName !== undefined) {
    set.push('`nodeName`');
    append(errors, validateNodeName(nodeName, path.child('nodeName')));
  }
  if (nodeSelector !== undefined) {
    const at = path.child('nodeSelector');
    set.push('`nodeSelector`');
    append(errors, validateNodeSelector(nodeSelector, at, false), selectorRule(nodeSelector, at));
  }
  if (allNodes === true) set.push('`allNodes`');
  if (allNodes === false) errors.push(invalid(path.child('allNodes'), allNodes, 'must be either unset or set to true'));
  return { set, errors };
}

// Upstream: k8s.io/kubernetes/pkg/registry/flowcontrol/ensurer/strategy.go#ReviseIfNeeded
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from '../../schema/types/flowcontrol-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { exemptName } from '../../apis/common/flow-control/mandatory.ts';

/** Whether the spec of an object is kept as this server wants it. */
export const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';

export interface FlowControlObject extends KubeObject {
  spec: FlowSchemaSpec | PriorityLevelConfigurationSpec;
}

/** What says nothing about updates is kept up to date as long as no client has changed it. */
export function revise(object: FlowControlObject, spec: FlowControlObject['spec'], mandatory: boolean): void {
  const { metadata } = object;
  const said = saysAutoUpdate(object);
  const update = mandatory || (said ?? metadata.generation === 1);
  if (update) object.spec = { ...deepCopy(spec), ...exemptShares(object, metadata.name) };
  if (said !== update) metadata.annotations = { ...metadata.annotations, [autoUpdate]: String(update) };
}

/** The shares of the exempt level belong to the administrator. */
function exemptShares({ spec }: FlowControlObject, name: string | undefined): object {
  return name === exemptName && 'exempt' in spec && spec.exempt ? { exempt: spec.exempt } : {};
}

/** As Go reads a boolean; undefined where there is none. */
export function saysAutoUpdate({ metadata }: FlowControlObject): boolean | undefined {
  const text = metadata.annotations?.[autoUpdate] ?? '';
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined;
}

// Upstream: k8s.io/kubernetes/plugin/pkg/admission/nodedeclaredfeatures/admission.go
import { inSlices } from '../../base/slices.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { Node, NodeSelector, Pod } from '../../schema/types/core-v1.ts';
import type { Device, ResourceSlice } from '../../schema/types/resource-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { neededFeatures } from './needed-features.ts';
import { selectsNode } from './node-selector.ts';

type NodeObject = Node & KubeObject;
const allocatableDevices = 'DRANodeAllocatableResources';

/** Nodes are not asked for what they have not declared that they can do. */
export const nodeDeclaredFeatureValidator = definePlugin({
  name: 'NodeDeclaredFeatureValidator',
  enabledByDefault: true,
  create: ({ reader, features }) => ({
    handles: (attributes) =>
      features.enabled('NodeDeclaredFeatures') &&
      (isPodUpdate(attributes) || (isSliceWrite(attributes) && features.enabled(allocatableDevices))),
    async validate(attributes) {
      if (isPodUpdate(attributes)) await validatePod(attributes, reader);
      else if (isSliceWrite(attributes)) await validateSlice(attributes, reader);
    },
  }),
});

const isPodUpdate = requestsFor<Pod>('', 'pods', '', 'resize').on(['UPDATE']);
const isSliceWrite = requestsFor<ResourceSlice>('resource.k8s.io', 'resourceslices').on(['CREATE', 'UPDATE']);

async function validatePod(attributes: AttributesOf<Pod, 'UPDATE'>, reader: ObjectReader): Promise<void> {
  const { object: pod, old } = attributes;
  const nodeName = pod.spec.nodeName ?? '';
  if (nodeName === '' || old.metadata.generation === pod.metadata.generation) return;
  const needed = neededFeatures(old.spec, pod.spec);
  if (needed.length === 0) return;
  const node = await reader.get<NodeObject>('', 'nodes', '', nodeName);
  if (node === undefined) throw forbid(attributes, `node ${goQuote(nodeName)} not found`);
  const lacking = needed.filter((name) => !declares(node, name));
  if (lacking.length === 0) return;
  throw forbid(attributes, `pod update requires features ${lacking.join(', ')} which are not available on node ${goQuote(nodeName)}`);
}

/** Devices that take from what a node can give need a node that knows of it. */
async function validateSlice(attributes: AttributesOf<ResourceSlice, 'CREATE' | 'UPDATE'>, reader: ObjectReader): Promise<void> {
  const { spec } = attributes.object;
  let all: Promise<NodeObject[]> | undefined;
  const allNodes = (): Promise<NodeObject[]> => (all ??= nodesIn(reader));
  for (const device of spec.devices ?? []) {
    if (Object.keys(device.nodeAllocatableResources ?? {}).length === 0) continue;
    const nodes = await nodesOf(attributes, spec.perDeviceNodeSelection ? device : spec, device, reader, allNodes);
    for await (const node of inSlices(nodes)) {
      if (declares(node, allocatableDevices)) continue;
      throw forbid(attributes, `node ${goQuote(node.metadata.name ?? '')} does not support ${allocatableDevices} feature`);
    }
  }
}

interface Placement {
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
}

async function nodesIn(reader: ObjectReader): Promise<NodeObject[]> {
  const nodes: NodeObject[] = [];
  for await (const node of inSlices(await reader.list<NodeObject>('', 'nodes', ''))) nodes.push(node);
  return nodes;
}

async function nodesOf(
  attributes: AdmissionAttributes,
  at: Placement,
  device: Device,
  reader: ObjectReader,
  listed: () => Promise<NodeObject[]>,
): Promise<NodeObject[]> {
  const { nodeName, nodeSelector, allNodes } = at;
  if (nodeName) {
    const node = await reader.get<NodeObject>('', 'nodes', '', nodeName);
    if (node === undefined) throw forbid(attributes, `node ${goQuote(nodeName)} not found for device ${goQuote(device.name)}`);
    return [node];
  }
  if (nodeSelector === undefined && allNodes !== true) {
    const reason = `device ${goQuote(device.name)} in ResourceSlice has NodeAllocatableResources but does not map to any nodes`;
    throw forbid(attributes, reason);
  }
  const nodes = await listed();
  return nodeSelector === undefined ? nodes : nodes.filter((node) => selectsNode(nodeSelector, node));
}

function declares({ status }: Node, feature: string): boolean {
  return status?.declaredFeatures?.includes(feature) ?? false;
}

// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printNode
import type { NodeSystemInfo } from '../../../schema/types/core-v1.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import type { NodeObject } from './validation.ts';

const infoType = 'io.k8s.api.core.v1.NodeSystemInfo';
const addressesDoc = docOf('io.k8s.api.core.v1.NodeStatus', 'addresses');
const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';

export const columns: readonly Column<NodeObject>[] = [
  { name: 'Status', type: 'string', description: 'The status of the node', cell: statusOf },
  { name: 'Roles', type: 'string', description: 'The roles of the node', cell: rolesOf },
  ageColumn,
  {
    name: 'Version',
    type: 'string',
    description: docOf(infoType, 'kubeletVersion'),
    cell: ({ status }) => status.nodeInfo.kubeletVersion,
  },
  { name: 'Internal-IP', type: 'string', priority: 1, description: addressesDoc, cell: (node) => addressOf(node, 'InternalIP') },
  { name: 'External-IP', type: 'string', priority: 1, description: addressesDoc, cell: (node) => addressOf(node, 'ExternalIP') },
  {
    name: 'OS-Image',
    type: 'string',
    priority: 1,
    description: docOf(infoType, 'osImage'),
    cell: ({ status }) => status.nodeInfo.osImage || '<unknown>',
  },
  {
    name: 'Kernel-Version',
    type: 'string',
    priority: 1,
    description: docOf(infoType, 'kernelVersion'),
    cell: ({ status }) => kernelOf(status.nodeInfo),
  },
  {
    name: 'Container-Runtime',
    type: 'string',
    priority: 1,
    description: docOf(infoType, 'containerRuntimeVersion'),
    cell: ({ status }) => status.nodeInfo.containerRuntimeVersion || '<unknown>',
  },
];

function statusOf({ spec, status }: NodeObject): string {
  const ready = status.conditions?.findLast(({ type }) => type === 'Ready');
  const readiness = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${readiness},SchedulingDisabled` : readiness;
}

function rolesOf({ metadata }: NodeObject): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata.labels ?? {})) {
    const role = label.startsWith(rolePrefix) ? label.slice(rolePrefix.length) : label === roleLabel ? value : '';
    if (role !== '') roles.add(role);
  }
  return [...roles].sort().join(',') || '<none>';
}

function addressOf({ status }: NodeObject, wanted: string): string {
  return status.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
}

function kernelOf({ kernelVersion, architecture }: NodeSystemInfo): string {
  return (kernelVersion || '<unknown>') + (architecture ? ` (${architecture})` : '');
}

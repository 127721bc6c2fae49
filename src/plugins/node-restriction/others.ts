// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go#admitLease, #admitCSINode, #admitResourceSlice, #admitPVCStatus
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const leaseNamespace = 'kube-node-lease';

export function admitLease(node: string, attributes: AdmissionAttributes): void {
  if (attributes.namespace !== leaseNamespace) {
    throw forbid(attributes, `can only access leases in the "${leaseNamespace}" system namespace`);
  }
  if (writtenName(attributes) !== node) throw forbid(attributes, 'can only access node lease with the same name as the requesting node');
}

export function admitCsiNode(node: string, attributes: AdmissionAttributes, { features }: PluginContext): void {
  const { operation, subresource, object, old } = attributes;
  if (writtenName(attributes) !== node) throw forbid(attributes, 'can only access CSINode with the same name as the requesting node');
  if (subresource !== 'status') return;
  if (!features.enabled('CSIVolumeHealth')) throw forbid(attributes, 'CSIVolumeHealth feature gate is disabled');
  if (operation !== 'UPDATE') throw forbid(attributes, `unexpected operation ${JSON.stringify(operation)}`);
  if (!deepEqual(object?.['spec'], old?.['spec'])) {
    throw forbid(attributes, `node ${JSON.stringify(node)} is not allowed to modify CSINode spec via status`);
  }
}

/** The name in the URL; of what is created, the name that it brings. */
function writtenName({ operation, object, name }: AdmissionAttributes): string | undefined {
  return operation === 'CREATE' ? object?.metadata.name : name;
}

export function admitResourceSlice(node: string, attributes: AdmissionAttributes): void {
  const { operation, object, old } = attributes;
  const nodeOf = (slice: KubeObject | undefined): string | undefined => (slice?.['spec'] as { nodeName?: string } | undefined)?.nodeName;
  if (operation === 'CREATE' && nodeOf(object) !== node) {
    throw forbid(attributes, 'can only create ResourceSlice with the same NodeName as the requesting node');
  }
  if (operation === 'DELETE' && nodeOf(old) !== node) {
    throw forbid(attributes, 'can only delete ResourceSlice with the same NodeName as the requesting node');
  }
}

/** Kubelets report how far a volume has grown, and nothing else about claims. */
export function admitClaimStatus(node: string, attributes: AdmissionAttributes, { features }: PluginContext): void {
  const { subresource, operation, object, old } = attributes;
  if (subresource !== 'status') throw forbid(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE') throw forbid(attributes, `unexpected operation ${JSON.stringify(operation)}`);
  const own = ['capacity', 'conditions'];
  if (features.enabled('RecoverVolumeExpansionFailure')) own.push('allocatedResourceStatuses', 'allocatedResources');
  if (deepEqual(withoutOwn(object, own), withoutOwn(old, own))) return;
  throw forbid(attributes, `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`);
}

function withoutOwn(claim: KubeObject | undefined, own: readonly string[]): object {
  if (claim === undefined) return {};
  const { metadata, status, ...rest } = claim;
  const { resourceVersion: _version, managedFields: _fields, ...kept } = metadata;
  const others = Object.entries((status ?? {}) as Record<string, unknown>).filter(([field]) => !own.includes(field));
  return { ...rest, metadata: kept, status: Object.fromEntries(others) };
}

// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go#admitNode
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { Labels } from '../../machinery/labels.ts';
import type { Node } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';

/** whatever part of it they write */
const isNodeWrite = requestsFor<Node>('', 'nodes', '', 'status').on(['CREATE', 'UPDATE']);
/** labels of the system that kubelets set themselves */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

export function admitNode(node: string, attributes: AdmissionAttributes): void {
  const { name } = attributes;
  const who = `node ${JSON.stringify(node)}`;
  if (name !== node) throw forbid(attributes, `${who} is not allowed to modify node ${JSON.stringify(name)}`);
  if (!isNodeWrite(attributes)) return;
  const { object: next, old } = attributes;
  const { configSource } = next.spec;
  if (old === undefined) {
    // The words are upstream's: it says pods.
    if (configSource !== undefined) throw forbid(attributes, `${who} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabels(next.metadata.labels, {});
    if (labels.length > 0) throw forbid(attributes, `${who} is not allowed to set the following labels: ${labels.join(', ')}`);
    return;
  }
  if (configSource !== undefined && !deepEqual(configSource, old.spec.configSource)) {
    throw forbid(attributes, `${who} is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!deepEqual(next.spec.taints ?? [], old.spec.taints ?? [])) throw forbid(attributes, `${who} is not allowed to modify taints`);
  if (!deepEqual(next.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? [])) {
    throw forbid(attributes, `${who} is not allowed to modify ownerReferences`);
  }
  const labels = forbiddenLabels(next.metadata.labels, old.metadata.labels ?? {});
  if (labels.length > 0) throw forbid(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

/** Labels that changed and are not a kubelet's to change. */
function forbiddenLabels(labels: Labels = {}, old: Labels): string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...keys].filter((key) => labels[key] !== old[key] && isForbidden(key)).toSorted();
}

function isForbidden(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isIn = (...domains: readonly string[]): boolean => domains.some((one) => domain === one || domain.endsWith(`.${one}`));
  if (isIn('node-restriction.kubernetes.io')) return true;
  if (!isIn('kubernetes.io', 'k8s.io')) return false;
  return !kubeletLabels.has(key) && !isIn('kubelet.kubernetes.io', 'node.kubernetes.io');
}

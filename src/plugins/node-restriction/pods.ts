// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go#admitPod, #admitPodStatus, #admitPodEviction
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { Pod, PodSpec, PodStatus, Volume } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import { configMapsOf, secretsOf } from '../../server/access/authz/pod-references.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { existing } from './existing.ts';

const isNewPod = requestsFor<Pod>('', 'pods').on(['CREATE']);
const isStatusUpdate = requestsFor<Pod>('', 'pods', 'status').on(['UPDATE']);
const mirrorAnnotation = 'kubernetes.io/config.mirror';

export function admitPod(node: string, attributes: AdmissionAttributes, { reader }: PluginContext): Promise<void> | void {
  switch (attributes.subresource) {
    case '':
      return admitPodItself(node, attributes, reader);
    case 'status':
      return admitStatus(node, attributes);
    case 'eviction':
      return admitEviction(node, attributes, reader);
    default:
      throw forbid(
        attributes,
        `unexpected pod subresource ${JSON.stringify(attributes.subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

async function admitPodItself(node: string, attributes: AdmissionAttributes, reader: ObjectReader): Promise<void> {
  const { operation } = attributes;
  const who = `node ${JSON.stringify(node)}`;
  if (isNewPod(attributes)) return admitCreate(node, attributes, reader);
  if (operation !== 'DELETE') {
    throw forbid(attributes, `unexpected operation ${JSON.stringify(operation)}, ${who} can only create and delete mirror pods`);
  }
  const { spec } = await existingPod(attributes, reader, attributes.name);
  if (spec.nodeName !== node) throw forbid(attributes, `${who} can only delete pods with spec.nodeName set to itself`);
}

async function admitCreate(node: string, attributes: AttributesOf<Pod, 'CREATE'>, reader: ObjectReader): Promise<void> {
  const { metadata, spec } = attributes.object;
  const who = `node ${JSON.stringify(node)}`;
  const refuse = (problem: string): never => {
    throw forbid(attributes, problem);
  };
  if (metadata.annotations?.[mirrorAnnotation] === undefined) {
    refuse(`pod does not have "${mirrorAnnotation}" annotation, ${who} can only create mirror pods`);
  }
  if (spec.nodeName !== node) refuse(`${who} can only create pods with spec.nodeName set to itself`);
  const owners = metadata.ownerReferences ?? [];
  if (owners.length > 1) refuse(`${who} can only create pods with a single owner reference set to itself`);
  const [owner] = owners;
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return refuse(`${who} can only create pods with an owner reference set to itself`);
  }
  if (owner.controller !== true) refuse(`${who} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true) refuse(`${who} must not set blockOwnerDeletion on an owner reference`);
  const found = await existing<KubeObject>(reader, '', 'node', '', node);
  if (owner.uid !== found.metadata.uid) refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${found.metadata.uid}`);
  const unknown = unknownSource(spec);
  if (unknown !== undefined) refuse(`error checking mirror pod for API references: ${unknown}`);
  const reference = apiReference(spec);
  if (reference !== undefined) refuse(`${who} can not create pods that reference ${reference}`);
}

function admitStatus(node: string, attributes: AdmissionAttributes): void {
  const who = `node ${JSON.stringify(node)}`;
  if (!isStatusUpdate(attributes)) throw forbid(attributes, `unexpected operation ${JSON.stringify(attributes.operation)}`);
  const { object: pod, old } = attributes;
  if (old.spec.nodeName !== node) throw forbid(attributes, `${who} can only update pod status for pods with spec.nodeName set to itself`);
  if (!deepEqual(old.metadata.labels ?? {}, pod.metadata.labels ?? {})) {
    throw forbid(attributes, `${who} cannot update labels through pod status`);
  }
  const changed = (field: keyof PodStatus): boolean => !deepEqual(old.status?.[field] ?? [], pod.status?.[field] ?? []);
  if (changed('resourceClaimStatuses')) throw forbid(attributes, `${who} cannot update resource claim statues`);
  if (changed('extendedResourceClaimStatus')) throw forbid(attributes, `${who} cannot update extended resource claim status`);
  if (changed('nodeAllocatableResourceClaimStatuses')) {
    throw forbid(attributes, `${who} cannot update node allocatable resource claim statuses`);
  }
}

async function admitEviction(node: string, attributes: AdmissionAttributes, reader: ObjectReader): Promise<void> {
  if (attributes.operation !== 'CREATE') throw forbid(attributes, `unexpected operation ${attributes.operation}`);
  const name = attributes.name || attributes.object?.metadata.name || '';
  if (name === '') throw forbid(attributes, 'could not determine pod from request data');
  const { spec } = await existingPod(attributes, reader, name);
  if (spec.nodeName !== node) throw forbid(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

async function existingPod({ namespace }: AdmissionAttributes, reader: ObjectReader, name: string): Promise<Pod> {
  return existing<Pod & KubeObject>(reader, '', 'pod', namespace, name);
}

/** What a pod needs of the API, which mirror pods must not; undefined: nothing. */
function apiReference(spec: PodSpec): string | undefined {
  if (spec.serviceAccountName) return 'serviceaccounts';
  if (secretsOf(spec).next().done !== true) return 'secrets';
  if (configMapsOf(spec).next().done !== true) return 'configmaps';
  if (spec.resourceClaims?.length) return 'resourceclaims';
  for (const volume of spec.volumes ?? []) {
    const found = volumeReference(volume);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A projected volume may have sources that say nothing, whose needs are unknown. */
function unknownSource({ volumes }: PodSpec): string | undefined {
  const odd = volumes?.find(({ projected }) => projected?.sources?.some((source) => Object.keys(source).length === 0));
  return odd && `unknown source for projected volume ${JSON.stringify(odd.name)}`;
}

function volumeReference(volume: Volume): string | undefined {
  if (volume.configMap !== undefined) return 'configmaps (via configmap volumes)';
  if (volume.secret !== undefined) return 'secrets (via secret volumes)';
  if (volume.csi !== undefined) return 'csidrivers (via CSI volumes)';
  if (volume.glusterfs !== undefined) return 'endpoints (via glusterFS volumes)';
  if (volume.persistentVolumeClaim !== undefined) return 'persistentvolumeclaims';
  if (volume.ephemeral !== undefined) return 'persistentvolumeclaims (via ephemeral volumes)';
  if (volume.azureFile !== undefined) return 'secrets (via azureFile volumes)';
  for (const source of volume.projected?.sources ?? []) {
    if (source.configMap !== undefined) return 'configmaps (via projected volumes)';
    if (source.secret !== undefined) return 'secrets (via projected volumes)';
    if (source.serviceAccountToken !== undefined) return 'serviceaccounts (via projected volumes)';
    if (source.clusterTrustBundle !== undefined) return 'clustertrustbundles';
    if (source.podCertificate !== undefined) return 'podcertificates';
  }
  return undefined;
}

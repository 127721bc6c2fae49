// Upstream: plugin/pkg/auth/authorizer/node/{graph,graph_populator}.go
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../schema/types/core-v1.ts';
import type { Cluster } from '../../registry/cluster.ts';
import type { KubeObject } from '../../registry/definition.ts';
import { configMapsOf, secretsOf } from './pod-references.ts';

/** Kinds of objects that a node may have to do with. */
export type RelatedKind =
  | 'secret'
  | 'configmap'
  | 'pvc'
  | 'pv'
  | 'serviceaccount'
  | 'resourceclaim'
  | 'volumeattachment'
  | 'resourceslice'
  | 'podcertificaterequest'
  | 'pod';

type PodObject = Pod & KubeObject;

interface OnNode extends KubeObject {
  spec: { nodeName?: string };
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Which objects have to do with a node: found by looking at the node's pods, of which there is an index, instead of keeping a graph. */
export class NodeRelations {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async has(node: string, kind: RelatedKind, namespace: string, name: string): Promise<boolean> {
    switch (kind) {
      case 'pod':
        return this.#isOn(node, '', 'pods', namespace, name);
      case 'volumeattachment':
        return this.#isOn(node, 'storage.k8s.io', 'volumeattachments', '', name);
      case 'resourceslice':
        return this.#isOn(node, 'resource.k8s.io', 'resourceslices', '', name);
      case 'podcertificaterequest':
        return this.#isOn(node, 'certificates.k8s.io', 'podcertificaterequests', namespace, name);
      case 'pv':
        return this.#usesVolume(node, name);
      case 'secret':
        return (await this.#podUses(node, kind, namespace, name)) || this.#volumeUsesSecret(node, namespace, name);
      default:
        return this.#podUses(node, kind, namespace, name);
    }
  }

  async #isOn(node: string, group: string, plural: string, namespace: string, name: string): Promise<boolean> {
    return (await this.#cluster.get<OnNode>(group, plural, namespace, name))?.spec.nodeName === node;
  }

  async #podUses(
    node: string,
    kind: 'secret' | 'configmap' | 'pvc' | 'serviceaccount' | 'resourceclaim',
    namespace: string,
    name: string,
  ): Promise<boolean> {
    for (const pod of await this.#pods(node, namespace)) if (namesIn(pod, kind).includes(name)) return true;
    return false;
  }

  async #usesVolume(node: string, name: string): Promise<boolean> {
    const volume = await this.#cluster.get<PersistentVolume & KubeObject>('', 'persistentvolumes', '', name);
    const claim = volume?.spec.claimRef;
    if (claim === undefined) return false;
    return this.#podUses(node, 'pvc', claim.namespace ?? '', claim.name ?? '');
  }

  /** Secrets that drivers need to mount what the node's pods claim. */
  async #volumeUsesSecret(node: string, namespace: string, name: string): Promise<boolean> {
    for (const pod of await this.#pods(node, '')) {
      for (const claimName of namesIn(pod, 'pvc')) {
        const claim = await this.#cluster.get<PersistentVolumeClaim & KubeObject>(
          '',
          'persistentvolumeclaims',
          pod.metadata.namespace ?? '',
          claimName,
        );
        const volumeName = claim?.spec.volumeName;
        if (!volumeName) continue;
        const volume = await this.#cluster.get<PersistentVolume & KubeObject>('', 'persistentvolumes', '', volumeName);
        if (volume !== undefined && secretsOfVolume(volume).includes(`${namespace}/${name}`)) return true;
      }
    }
    return false;
  }

  /** Pods on the node, in one namespace or all; mirror pods need nothing of the API. */
  async #pods(node: string, namespace: string): Promise<PodObject[]> {
    const { store, keyPrefix } = this.#cluster.resource('', 'pods');
    await store.cache.ready();
    const prefix = namespace === '' ? keyPrefix : `${keyPrefix}${namespace}/`;
    const found: PodObject[] = [];
    for (const entry of store.cache.list({ prefix, fieldEquals: { 'spec.nodeName': node } }).items) {
      if ('spec.nodeName' in entry.fields && entry.fields['spec.nodeName'] !== node) continue;
      const pod = store.parse(entry) as unknown as PodObject;
      if (pod.spec.nodeName === node && pod.metadata.annotations?.[mirrorAnnotation] === undefined) found.push(pod);
    }
    return found;
  }
}

function namesIn(pod: PodObject, kind: 'secret' | 'configmap' | 'pvc' | 'serviceaccount' | 'resourceclaim'): string[] {
  const { spec, metadata, status } = pod;
  switch (kind) {
    case 'serviceaccount':
      return spec.serviceAccountName === undefined ? [] : [spec.serviceAccountName];
    case 'pvc':
      return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
        if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
        return ephemeral === undefined ? [] : [`${metadata.name}-${name}`];
      });
    case 'resourceclaim':
      return [
        ...(spec.resourceClaims ?? []).flatMap(({ resourceClaimName }) => resourceClaimName ?? []),
        ...(status?.resourceClaimStatuses ?? []).flatMap(({ resourceClaimName }) => resourceClaimName ?? []),
        ...(status?.extendedResourceClaimStatus === undefined ? [] : [status.extendedResourceClaimStatus.resourceClaimName]),
      ];
    case 'configmap':
      return [...configMapsOf(spec)];
    case 'secret':
      return [...secretsOf(spec)];
  }
}

/** `namespace/name`; where a volume names no namespace, its claim's is meant. */
function secretsOfVolume({ spec }: PersistentVolume): string[] {
  const fallback = spec.claimRef?.namespace ?? '';
  const { azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = spec;
  const references = [
    cephfs?.secretRef,
    cinder?.secretRef,
    flexVolume?.secretRef,
    rbd?.secretRef,
    scaleIO?.secretRef,
    iscsi?.secretRef,
    storageos?.secretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
  ];
  return [
    ...(azureFile === undefined ? [] : [`${azureFile.secretNamespace || fallback}/${azureFile.secretName}`]),
    ...references.flatMap((one) => (one?.name ? [`${one.namespace || fallback}/${one.name}`] : [])),
  ];
}

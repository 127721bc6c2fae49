// Upstream: k8s.io/kubernetes/plugin/pkg/auth/authorizer/node/{graph,graph_populator}.go
import { inSlices, Slices } from '../../../base/slices.ts';
import type { PersistentVolume, Pod } from '../../../schema/types/core-v1.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { StoredEntry } from '../../registry/entry.ts';
import type { Resource } from '../../registry/resource.ts';
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

/** What a persistent volume leads to. Only the volume says which claim it is for: a claim may name any volume, even one bound to another claim. */
interface BoundVolume {
  readonly claim: { readonly namespace: string; readonly name: string };
  /** `namespace/name` of the secrets that kubelets need to mount it */
  readonly secrets: readonly string[];
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Which objects have to do with a node: found by looking at the node's pods, of which there is an index, instead of keeping a graph. */
export class NodeRelations {
  readonly #reader: ObjectReader;
  /** undefined: no claim has the volume */
  readonly #volumes = new WeakMap<StoredEntry, BoundVolume | undefined>();

  constructor(reader: ObjectReader) {
    this.#reader = reader;
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
    return (await this.#reader.get<OnNode>(group, plural, namespace, name))?.spec.nodeName === node;
  }

  async #podUses(
    node: string,
    kind: 'secret' | 'configmap' | 'pvc' | 'serviceaccount' | 'resourceclaim',
    namespace: string,
    name: string,
  ): Promise<boolean> {
    if (namespace === '') return false;
    for await (const pod of inSlices(await this.#pods(node, namespace))) if (namesIn(pod, kind).includes(name)) return true;
    return false;
  }

  async #usesVolume(node: string, name: string): Promise<boolean> {
    const volume = await this.#reader.get<PersistentVolume & KubeObject>('', 'persistentvolumes', '', name);
    const bound = volume && boundVolume(volume);
    return bound !== undefined && this.#podUses(node, 'pvc', bound.claim.namespace, bound.claim.name);
  }

  /** Secrets that drivers need to mount what the node's pods claim. */
  async #volumeUsesSecret(node: string, namespace: string, name: string): Promise<boolean> {
    for (const { claim, secrets } of await this.#boundVolumes()) {
      if (secrets.includes(`${namespace}/${name}`) && (await this.#podUses(node, 'pvc', claim.namespace, claim.name))) return true;
    }
    return false;
  }

  async #boundVolumes(): Promise<BoundVolume[]> {
    const { store, keyPrefix } = this.#reader.resource('', 'persistentvolumes');
    await store.cache.ready();
    const found: BoundVolume[] = [];
    const slices = new Slices();
    for (const entry of store.cache.list({ prefix: keyPrefix }).items) {
      if (!this.#volumes.has(entry)) {
        this.#volumes.set(entry, boundVolume(store.parse(entry) as unknown as PersistentVolume));
        const pause = slices.pause();
        if (pause !== undefined) await pause;
      }
      const volume = this.#volumes.get(entry);
      if (volume !== undefined) found.push(volume);
    }
    return found;
  }

  /** Pods of a namespace that are on the node; mirror pods need nothing of the API. */
  async #pods(node: string, namespace: string): Promise<Iterable<PodObject>> {
    const { store, keyPrefix } = this.#reader.resource('', 'pods');
    await store.cache.ready();
    const { items } = store.cache.list({ prefix: `${keyPrefix}${namespace}/`, fieldEquals: { 'spec.nodeName': node } });
    return podsOn(node, items, store);
  }
}

/** Read one by one: a namespace may have many, and large ones. */
function* podsOn(node: string, entries: Iterable<StoredEntry>, store: Resource['store']): Generator<PodObject> {
  for (const entry of entries) {
    if ('spec.nodeName' in entry.fields && entry.fields['spec.nodeName'] !== node) continue;
    const pod = store.parse(entry) as PodObject;
    if (pod.spec.nodeName === node && pod.metadata.annotations?.[mirrorAnnotation] === undefined) yield pod;
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
        ...(spec.resourceClaims ?? []).flatMap((claim) => claim.resourceClaimName ?? generatedClaim(pod, claim.name) ?? []),
        ...(status?.extendedResourceClaimStatus === undefined ? [] : [status.extendedResourceClaimStatus.resourceClaimName]),
      ];
    case 'configmap':
      return [...configMapsOf(spec)];
    case 'secret':
      return [...secretsOf(spec)];
  }
}

/** The claim that was made for a pod from a template; undefined when there is none yet, or none is needed. */
function generatedClaim({ status }: PodObject, name: string): string | undefined {
  return status?.resourceClaimStatuses?.find((one) => one.name === name)?.resourceClaimName;
}

function boundVolume(volume: PersistentVolume): BoundVolume | undefined {
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return undefined;
  return { claim: { namespace: claimRef.namespace ?? '', name: claimRef.name ?? '' }, secrets: secretsOfVolume(volume) };
}

/** `namespace/name`; where a volume of an older type names no namespace, its claim's is meant. */
function secretsOfVolume({ spec }: PersistentVolume): string[] {
  const { azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = spec;
  const inClaims = [cephfs?.secretRef, flexVolume?.secretRef, rbd?.secretRef, scaleIO?.secretRef, iscsi?.secretRef].map(
    (reference) => reference && { name: reference.name, namespace: reference.namespace || spec.claimRef?.namespace },
  );
  const azure = azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace || spec.claimRef?.namespace };
  const explicit = [cinder?.secretRef, storageos?.secretRef, csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef];
  return [azure, ...inClaims, ...explicit].flatMap((one) => (one?.name ? [`${one.namespace ?? ''}/${one.name}`] : []));
}

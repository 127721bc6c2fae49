// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/garbagecollector.go, k8s.io/kubernetes/pkg/controller/garbagecollector/operations.go
// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/patch.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { isReason } from '../../machinery/errors.ts';
import type { ObjectMeta, OwnerReference } from '../../machinery/object-meta.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from '../../machinery/object-meta.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client, DeleteOptions } from '../common/client.ts';
import { metadataForm } from '../common/client.ts';
import { resourcePath } from '../common/served-resources.ts';
import { RetryError } from '../common/work-queue.ts';
import type { Graph, Node } from './graph.ts';
import type { Identity } from './identity.ts';
import { describe, referred } from './identity.ts';
import type { Kinds } from './kinds.ts';

type Policy = DeleteOptions['propagationPolicy'];

/** requests at a time for one owner whose dependents are to be orphans */
const mostReleases = 20;

/** An object of the whole cluster refers to an owner in a namespace: which one is unknown. */
class NamespacedOwnerError extends Error {}

interface Classified {
  /** exist and stay */
  readonly solid: readonly OwnerReference[];
  readonly absent: readonly OwnerReference[];
  /** exist and wait for their dependents to go */
  readonly waiting: readonly OwnerReference[];
}

/** Asks the server about objects that may be garbage, and deletes, orphans or releases them. */
export class Collector {
  readonly #client: Client;
  readonly #graph: Graph;
  readonly #kinds: () => Kinds;
  readonly #attemptToDelete: (node: Node) => void;

  constructor(client: Client, graph: Graph, kinds: () => Kinds, attemptToDelete: (node: Node) => void) {
    this.#client = client;
    this.#graph = graph;
    this.#kinds = kinds;
    this.#attemptToDelete = attemptToDelete;
  }

  /** Throws when it has to be tried again. */
  async attemptToDelete(node: Node): Promise<void> {
    if (this.#graph.node(node.identity.uid) !== node) return;
    try {
      await this.#examine(node);
    } catch (error) {
      // Trying again would not help.
      if (error instanceof NamespacedOwnerError) return;
      throw error;
    }
    const heardOf = !node.observed && this.#graph.node(node.identity.uid) === node;
    // It may come and go while a watch is broken: then no event would come.
    if (heardOf) throw new RetryError('the owner exists and no watch has seen it yet');
  }

  /** Removes the owner from its dependents, and then what holds the owner back. */
  async orphan(owner: Node): Promise<void> {
    const { uid } = owner.identity;
    const dependents = [...owner.dependents].values();
    const release = async (): Promise<void> => {
      for (const { identity } of dependents)
        await this.#changeOwners(identity, (references) => references.filter((reference) => reference.uid !== uid));
    };
    // Upstream releases all of them at once. There may be a hundred thousand.
    await Promise.all(Array.from({ length: mostReleases }, release));
    await this.#removeFinalizer(owner.identity, finalizerOrphanDependents);
  }

  async #examine(node: Node): Promise<void> {
    // It is on its way already; its dependents are looked at when it is gone.
    if (node.beingDeleted && !node.deletingDependents) return;
    const { identity } = node;
    const latest = await this.#get(identity);
    if (latest === undefined) this.#graph.confirmAbsent(identity);
    else if (node.deletingDependents) await this.#finishDependents(node);
    else await this.#examineOwners(node, latest);
  }

  async #examineOwners(node: Node, latest: ObjectMeta): Promise<void> {
    const { identity } = node;
    if (!latest.ownerReferences?.length) return;
    const { solid, absent, waiting } = await this.#classify(identity, latest.ownerReferences);
    if (solid.length > 0) {
      // A reference to an owner that waits must go too, or it would wait for ever.
      const without = new Set([...absent, ...waiting].map(({ uid }) => uid));
      if (without.size > 0) await this.#changeOwners(identity, (references) => references.filter(({ uid }) => !without.has(uid)));
    } else if (waiting.length > 0 && node.dependents.size > 0) {
      if ([...node.dependents].some(({ deletingDependents }) => deletingDependents)) await this.#unblockOwners(identity);
      await this.#delete(identity, latest, 'Foreground');
    } else {
      await this.#delete(identity, latest, policyOf(latest));
    }
  }

  async #finishDependents(node: Node): Promise<void> {
    const blocking = node.blockingDependents;
    if (blocking.length === 0) return this.#removeFinalizer(node.identity, finalizerDeleteDependents);
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#attemptToDelete(dependent);
  }

  async #classify(dependent: Identity, references: readonly OwnerReference[]): Promise<Classified> {
    const solid: OwnerReference[] = [];
    const absent: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const owner = await this.#get(referred(reference, dependent.namespace));
      if (owner === undefined) absent.push(reference);
      else if (owner.deletionTimestamp !== undefined && owner.finalizers?.includes(finalizerDeleteDependents)) waiting.push(reference);
      else solid.push(reference);
    }
    return { solid, absent, waiting };
  }

  /** A circle of owners would wait for itself. */
  async #unblockOwners(identity: Identity): Promise<void> {
    await this.#changeOwners(identity, (references) =>
      references.map((reference) => (reference.blockOwnerDeletion === true ? { ...reference, blockOwnerDeletion: false } : reference)),
    );
  }

  async #delete(identity: Identity, latest: ObjectMeta, propagationPolicy: Policy): Promise<void> {
    const { uid } = identity;
    const path = this.#path(identity);
    try {
      const { resourceVersion } = latest;
      const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
      await this.#client.delete(path, { propagationPolicy, preconditions });
    } catch (error) {
      if (isReason(error, 'NotFound')) return this.#graph.confirmAbsent(identity);
      if (!isReason(error, 'Conflict')) throw error;
      const live = await this.#get(identity);
      if (live === undefined) return this.#graph.confirmAbsent(identity);
      // Changes that do not concern owners must not keep it alive.
      if (!deepEqual(live.ownerReferences ?? [], latest.ownerReferences ?? [])) throw error;
      await this.#client.delete(path, { propagationPolicy, preconditions: { uid } });
    }
  }

  async #changeOwners(identity: Identity, change: (references: readonly OwnerReference[]) => readonly OwnerReference[]): Promise<void> {
    await this.#change(identity, ({ ownerReferences = [] }) => {
      const changed = change(ownerReferences);
      return deepEqual(changed, ownerReferences) ? undefined : { ownerReferences: changed.length === 0 ? null : changed };
    });
  }

  async #removeFinalizer(identity: Identity, finalizer: string): Promise<void> {
    await this.#change(identity, ({ finalizers = [] }) => {
      const rest = finalizers.filter((name) => name !== finalizer);
      return rest.length === finalizers.length ? undefined : { finalizers: rest.length === 0 ? null : rest };
    });
  }

  /** Patches metadata of what the object is now; a conflict is thrown, and met by trying again. */
  async #change(identity: Identity, patchOf: (metadata: ObjectMeta) => object | undefined): Promise<void> {
    const latest = await this.#get(identity);
    const patch = latest && patchOf(latest);
    if (patch === undefined) return;
    const { uid, resourceVersion } = latest as ObjectMeta;
    try {
      await this.#client.patch(this.#path(identity), { metadata: { uid, resourceVersion, ...patch } });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  /** What the server has under this name; undefined when that is nothing, or something else. */
  async #get(identity: Identity): Promise<ObjectMeta | undefined> {
    const path = this.#path(identity);
    try {
      const { metadata } = (await this.#client.get(path, metadataForm)) as KubeObject;
      return metadata.uid === identity.uid ? metadata : undefined;
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #path(identity: Identity): string {
    const resource = this.#kinds().resource(identity.apiVersion, identity.kind);
    if (resource === undefined)
      throw new Error(`unable to get REST mapping for ${identity.apiVersion}/${identity.kind}: ${describe(identity)}`);
    if (resource.namespaced && identity.namespace === '') throw new NamespacedOwnerError(describe(identity));
    return resourcePath(resource, identity.namespace, identity.name);
  }
}

/** As its finalizers ask for, if they do. */
function policyOf({ finalizers = [] }: ObjectMeta): Policy {
  if (finalizers.includes(finalizerOrphanDependents)) return 'Orphan';
  return finalizers.includes(finalizerDeleteDependents) ? 'Foreground' : 'Background';
}

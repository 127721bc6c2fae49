// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/graph.go, k8s.io/kubernetes/pkg/controller/garbagecollector/graph_builder.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { OwnerReference } from '../../machinery/object-meta.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from '../../machinery/object-meta.ts';
import type { Ownership } from '../common/informers.ts';
import { otherIdentity, splitByAgreement } from './disagreement.ts';
import type { Identity } from './identity.ts';
import { agrees, referred, sameIdentity } from './identity.ts';

/** between attempts to find an owner that dependents call by several names */
const nextNameMs = 1000;

/** An object, or an owner that is referred to and has not been seen. */
export class Node {
  identity: Identity;
  /** seen by a watch; otherwise only heard of */
  observed: boolean;
  owners: readonly OwnerReference[] = [];
  readonly dependents = new Set<Node>();
  beingDeleted = false;
  /** waits until those dependents are gone that block it */
  deletingDependents = false;
  /** waits until its dependents do not refer to it any more */
  orphaning = false;

  constructor(identity: Identity, observed: boolean) {
    this.identity = identity;
    this.observed = observed;
  }

  get blockingDependents(): Node[] {
    return [...this.dependents].filter((dependent) => this.#isBlockedBy(dependent));
  }

  /** Most that wait for dependents have one that comes first. */
  get hasBlockingDependents(): boolean {
    return this.dependents.values().some((dependent) => this.#isBlockedBy(dependent));
  }

  #isBlockedBy({ owners }: Node): boolean {
    return owners.some(({ uid, blockOwnerDeletion }) => uid === this.identity.uid && blockOwnerDeletion === true);
  }
}

/** What the graph has found to do. */
export interface GraphWork {
  /** Maybe nothing holds it any more, or it is waiting for its dependents. */
  attemptToDelete(node: Node, delayMs?: number): void;
  attemptToOrphan(node: Node): void;
  /** The owner is in another namespace, which cannot be. */
  reportForeignOwner(dependent: Node, owner: OwnerReference): void;
}

/** All objects by uid, and who belongs to whom. */
export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #work: GraphWork;

  constructor(work: GraphWork) {
    this.#work = work;
  }

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** A watch has seen the object. */
  observe(identity: Identity, { ownerReferences = [], finalizers = [], deletionTimestamp }: Ownership['metadata']): void {
    let node = this.#nodes.get(identity.uid);
    if (node === undefined) this.#nodes.set(identity.uid, (node = new Node(identity, true)));
    else this.#recognise(node, identity);
    this.#setOwners(node, ownerReferences);
    const deleted = deletionTimestamp !== undefined;
    node.beingDeleted ||= deleted;
    const wasOrphaning = node.orphaning;
    const wasDeletingDependents = node.deletingDependents;
    node.orphaning = deleted && finalizers.includes(finalizerOrphanDependents);
    node.deletingDependents = deleted && finalizers.includes(finalizerDeleteDependents);
    if (node.orphaning) {
      if (!wasOrphaning) this.#work.attemptToOrphan(node);
    } else if (node.deletingDependents && !wasDeletingDependents) {
      for (const dependent of node.dependents) this.#work.attemptToDelete(dependent);
      this.#work.attemptToDelete(node);
    }
  }

  /** A watch has seen the object go. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node !== undefined) this.#remove(node);
  }

  /** The server does not know an object that is called so; what else refers to the uid may mean another. */
  confirmAbsent(absent: Identity): void {
    const node = this.#nodes.get(absent.uid);
    if (node === undefined) return;
    const { agreeing, disagreeing } = splitByAgreement(node.dependents, absent);
    const mistaken = node.observed && !sameIdentity(node.identity, absent);
    if (!mistaken && (node.observed || disagreeing.length === 0)) return this.#remove(node);
    for (const dependent of agreeing) this.#work.attemptToDelete(dependent);
    if (node.observed || !sameIdentity(node.identity, absent)) return;
    const other = otherIdentity(disagreeing, absent);
    if (other === undefined) return;
    node.identity = other;
    this.#work.attemptToDelete(node, nextNameMs);
  }

  #recognise(node: Node, identity: Identity): void {
    if (!node.observed && !sameIdentity(node.identity, identity)) {
      for (const dependent of splitByAgreement(node.dependents, identity).disagreeing) {
        this.#reportIfForeign(dependent, identity);
        this.#work.attemptToDelete(dependent);
      }
    }
    node.identity = identity;
    node.observed = true;
  }

  #setOwners(node: Node, owners: readonly OwnerReference[]): void {
    const before = node.owners;
    if (deepEqual(before, owners)) return;
    node.owners = owners;
    const added = owners.filter(({ uid }) => !before.some((owner) => owner.uid === uid));
    for (const old of before) {
      const owner = this.#nodes.get(old.uid);
      const now = owners.find(({ uid }) => uid === old.uid);
      // It may have been the last to block its owner.
      if (owner !== undefined && old.blockOwnerDeletion === true && now?.blockOwnerDeletion !== true) this.#work.attemptToDelete(owner);
      if (now === undefined) owner?.dependents.delete(node);
    }
    this.#addToOwners(node, added);
  }

  #addToOwners(node: Node, references: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of references) {
      const known = this.#nodes.get(reference.uid);
      const owner = known ?? new Node(referred(reference, node.identity.namespace), false);
      owner.dependents.add(node);
      if (owner.deletingDependents && reference.blockOwnerDeletion === true) doubtful = true;
      if (known === undefined) {
        this.#nodes.set(reference.uid, owner);
        // Finds out whether there is one.
        this.#work.attemptToDelete(owner);
      } else if (!doubtful) {
        this.#reportIfForeign(node, owner.observed ? owner.identity : undefined);
        doubtful = this.#isDoubtful(node, reference, owner);
      }
    }
    if (doubtful) this.#work.attemptToDelete(node);
  }

  /** Whether the node calls its owner something else than it is, or others do. */
  #isDoubtful(node: Node, reference: OwnerReference, { identity, observed }: Node): boolean {
    const elsewhere = identity.namespace !== node.identity.namespace;
    if (!agrees(reference, identity)) return true;
    return elsewhere && (identity.namespace !== '' || !observed);
  }

  #reportIfForeign(dependent: Node, owner: Identity | undefined): void {
    if (owner === undefined || owner.namespace === '' || owner.namespace === dependent.identity.namespace) return;
    const reference = dependent.owners.find(({ uid }) => uid === owner.uid);
    if (reference !== undefined) this.#work.reportForeignOwner(dependent, reference);
  }

  #remove(node: Node): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) this.#nodes.get(uid)?.dependents.delete(node);
    for (const dependent of node.dependents) this.#work.attemptToDelete(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      // Upstream looks at it for each that goes, and at all that are left.
      if (owner?.deletingDependents && !owner.hasBlockingDependents) this.#work.attemptToDelete(owner);
    }
  }
}

// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/graph_builder.go#partitionDependents, #getAlternateOwnerIdentity
import type { Node } from './graph.ts';
import type { Identity } from './identity.ts';
import { agrees, compareIdentities, referred, sameIdentity } from './identity.ts';

/** Dependents that call their owner so, and dependents that call it something else; one with two references may be both. */
export function splitByAgreement(dependents: Iterable<Node>, owner: Identity): { agreeing: Node[]; disagreeing: Node[] } {
  const agreeing: Node[] = [];
  const disagreeing: Node[] = [];
  for (const dependent of dependents) {
    const elsewhere = owner.namespace !== '' && owner.namespace !== dependent.identity.namespace;
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (!elsewhere && references.some((reference) => agrees(reference, owner))) agreeing.push(dependent);
    if (elsewhere || references.some((reference) => !agrees(reference, owner))) disagreeing.push(dependent);
  }
  return { agreeing, disagreeing };
}

/** What else the owner may be called, going round in order, so that each name is tried in turn. */
export function otherIdentity(dependents: Iterable<Node>, absent: Identity): Identity | undefined {
  const others: Identity[] = [];
  for (const { identity, owners } of dependents) {
    for (const reference of owners) {
      if (reference.uid !== absent.uid) continue;
      const sameKind = reference.apiVersion === absent.apiVersion && reference.kind === absent.kind;
      const other = referred(reference, absent.namespace === '' && sameKind ? '' : identity.namespace);
      if (!sameIdentity(other, absent)) others.push(other);
    }
  }
  const inOrder = others.toSorted(compareIdentities);
  return inOrder.find((other) => compareIdentities(absent, other) < 0) ?? inOrder[0];
}

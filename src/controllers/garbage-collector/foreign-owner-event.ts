// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/graph_builder.go#reportInvalidNamespaceOwnerRef, k8s.io/client-go/tools/record/event.go
import { timestamp } from '../../machinery/time.ts';
import type { OwnerReference } from '../../machinery/object-meta.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { describe, referred } from './identity.ts';
import type { Identity } from './identity.ts';

const component = 'garbage-collector-controller';

/** Says that an object refers to an owner in another namespace. Events of objects of the whole cluster are in the default namespace. */
export function foreignOwnerEvent(dependent: Identity, owner: OwnerReference, nowMs: number): KubeObject {
  const { apiVersion, kind, namespace, name, uid } = dependent;
  const now = timestamp(nowMs);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${(BigInt(nowMs) * 1_000_000n).toString(16)}`, namespace: namespace || 'default' },
    involvedObject: { apiVersion, kind, namespace, name, uid },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${describe(referred(owner, namespace))} does not exist in namespace "${namespace}"`,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type: 'Warning',
    reportingComponent: component,
    reportingInstance: '',
  };
}

// Upstream: k8s.io/kubernetes/pkg/controller/endpointslice/endpointslice_controller.go
import { hasCause, isReason } from '../../machinery/errors.ts';
import type { Node } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { IndexOf } from '../common/index-of.ts';
import type { PodObject, ServiceObject } from '../common/service-pods.ts';
import { keyOf, namespaceOf, podsOf, selectsPods, servicesOf, triggerTimeAnnotation, TriggerTimes } from '../common/service-pods.ts';
import type { SliceObject } from '../common/service-slices.ts';
import { ServiceSlices } from '../common/service-slices.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import { managedBy, planSlices } from './plan.ts';

/** Slices that other clients change are put right after this time, several at once. */
const sliceChangeDelayMs = 1000;

/** Tells in EndpointSlices where the pods are that services select. */
export const endpointSlices = defineController({
  name: 'endpointslice-controller',
  account: 'endpointslice-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const services = informers.of<ServiceObject>('/api/v1/services');
    const pods = informers.of<PodObject>('/api/v1/pods');
    const nodes = informers.of<Node & KubeObject>('/api/v1/nodes');
    const allSlices = informers.of<SliceObject>('/apis/discovery.k8s.io/v1/endpointslices');
    const triggerTimes = new TriggerTimes();
    const queue = new WorkQueue<string>({ name: 'endpoint_slice', metrics, clock, log, process });
    /** services with pods on nodes that were not known */
    const lackNodes = new Set<string>();

    using servicesByNamespace = new IndexOf(services, namespaceOf);
    using podsByNamespace = new IndexOf(pods, namespaceOf);
    using _services = services.subscribe({
      changed: (service) => queue.add(keyOf(service)),
      deleted: (service) => queue.add(keyOf(service)),
    });
    using _pods = pods.subscribe({
      changed: (pod, old) => servicesOf(pod, old, servicesByNamespace).forEach((key) => queue.add(key)),
      deleted: (pod) => servicesOf(undefined, pod, servicesByNamespace).forEach((key) => queue.add(key)),
    });
    using _nodes = nodes.subscribe({
      changed: (_node, old) => {
        if (old === undefined) for (const key of lackNodes) queue.add(key);
      },
    });
    using slices = new ServiceSlices({ client, slices: allSlices, managedBy, changed: (key) => queue.addAfter(key, sliceChangeDelayMs) });
    await queue.run(signal, services.synced, pods.synced, nodes.synced, allSlices.synced);

    async function process(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      const service = services.get(namespace, name);
      lackNodes.delete(key);
      if (service === undefined) {
        triggerTimes.forget(key);
        slices.forget(key);
        return;
      }
      if (!selectsPods(service)) return;
      const selected = podsOf(service, podsByNamespace);
      const there = await slices.of(key);
      const triggerTime = triggerTimes.next(service, selected);
      const plan = planSlices({
        service,
        pods: selected,
        slices: there.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
        nodeOf: (node) => nodes.get('', node),
      });
      try {
        // Those of a service that goes are not replaced: the garbage collector deletes them.
        if (service.metadata.deletionTimestamp === undefined) {
          for (const slice of plan.create) await slices.create(key, withTriggerTime(slice, triggerTime));
        }
        for (const slice of plan.update) await slices.update(key, withTriggerTime(slice, triggerTime));
        for (const slice of plan.delete) await slices.delete(key, slice);
      } catch (error) {
        if (hasCause(error, 'NamespaceTerminating')) return;
        if (isReason(error, 'NotFound')) throw new RetryError('a slice has gone in between');
        throw error;
      }
      if (!plan.nodesMissing) return;
      lackNodes.add(key);
      throw new RetryError('pods of the service are on nodes that are not known');
    }
  },
});

function withTriggerTime(slice: SliceObject, time: string | undefined): SliceObject {
  const { [triggerTimeAnnotation]: _old, ...others } = slice.metadata.annotations ?? {};
  const annotations = time === undefined ? others : { ...others, [triggerTimeAnnotation]: time };
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}

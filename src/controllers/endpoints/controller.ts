// Upstream: k8s.io/kubernetes/pkg/controller/endpoint/endpoints_controller.go
import { isDeepStrictEqual } from 'node:util';
import { stepByStep } from '../../base/steps.ts';
import { hasCause, isReason } from '../../machinery/errors.ts';
import type { Endpoints } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { IndexOf } from '../common/index-of.ts';
import type { PodObject, ServiceObject } from '../common/service-pods.ts';
import {
  hasClusterIp,
  headlessLabel,
  keyOf,
  namespaceOf,
  podsOf,
  selectsPods,
  servicesOf,
  triggerTimeAnnotation,
  TriggerTimes,
} from '../common/service-pods.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import { isOverCapacity, saySame, subsetsOf, truncated } from './subsets.ts';

type EndpointsObject = Endpoints & KubeObject;

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const managedBy = 'endpoint-controller';
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';
/** of locks from the time when Endpoints were used for them */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** Tells in Endpoints where the pods are that services select. */
export const endpoints = defineController({
  name: 'endpoints-controller',
  account: 'endpoint-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const services = informers.of<ServiceObject>('/api/v1/services');
    const pods = informers.of<PodObject>('/api/v1/pods');
    const all = informers.of<EndpointsObject>('/api/v1/endpoints');
    const triggerTimes = new TriggerTimes();
    const queue = new WorkQueue<string>({ name: 'endpoint', metrics, clock, log, process });

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
    let isStarting = true;
    using _endpoints = all.subscribe({
      // Those of services that were deleted while no controller ran.
      changed: (object) => {
        if (isStarting && object.metadata.annotations?.[leaderAnnotation] === undefined) queue.add(keyOf(object));
      },
      deleted: (object) => queue.add(keyOf(object)),
    });
    void all.synced.then(() => (isStarting = false));
    await queue.run(signal, services.synced, pods.synced, all.synced);

    async function process(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      const service = services.get(namespace, name);
      if (service === undefined) {
        triggerTimes.forget(key);
        await remove(namespace, name);
      } else if (selectsPods(service)) await write(service, all.get(namespace, name));
    }

    async function remove(namespace: string, name: string): Promise<void> {
      const known = all.get(namespace, name);
      if (known === undefined || (await isThere(`/api/v1/namespaces/${namespace}/services/${name}`))) return;
      try {
        const { uid = '' } = known.metadata;
        await client.delete(`/api/v1/namespaces/${namespace}/endpoints/${name}`, {
          propagationPolicy: 'Background',
          preconditions: { uid },
        });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }

    /** What is known here may be behind. */
    async function isThere(path: string): Promise<boolean> {
      try {
        await client.get(path);
        return true;
      } catch (error) {
        if (isReason(error, 'NotFound')) return false;
        throw error;
      }
    }

    async function write(service: ServiceObject, old: EndpointsObject | undefined): Promise<void> {
      const selected = podsOf(service, podsByNamespace);
      const triggerTime = triggerTimes.next(service, selected);
      const subsets = await stepByStep(subsetsOf(service, selected));
      if (old !== undefined && isRight(old, service, subsets)) return;
      const { name = '', namespace = '' } = service.metadata;
      const path = `/api/v1/namespaces/${namespace}/endpoints`;
      const cut = truncated(subsets);
      const { [triggerTimeAnnotation]: _time, [overCapacityAnnotation]: _over, ...others } = old?.metadata.annotations ?? {};
      const next: EndpointsObject = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        ...old,
        metadata: {
          ...(old?.metadata ?? { name, namespace }),
          labels: labelsOf(service),
          annotations: {
            ...others,
            ...(triggerTime !== undefined && { [triggerTimeAnnotation]: triggerTime }),
            ...(cut !== undefined && { [overCapacityAnnotation]: 'truncated' }),
          },
        },
        subsets: cut ?? subsets,
      };
      try {
        if (old === undefined) await client.create(path, next);
        else await client.update(`${path}/${name}`, next);
      } catch (error) {
        if (hasCause(error, 'NamespaceTerminating')) return;
        if (isReason(error, 'AlreadyExists') || isReason(error, 'NotFound')) throw new RetryError('the Endpoints came or went in between');
        throw error;
      }
    }
  },
});

function isRight(old: EndpointsObject, service: ServiceObject, subsets: Parameters<typeof saySame>[0]): boolean {
  const { labels = {}, annotations = {} } = old.metadata;
  const there = old.subsets ?? [];
  if (!saySame(there, subsets) || labels[managedByLabel] !== managedBy) return false;
  return (
    isDeepStrictEqual(others(labels), others(service.metadata.labels ?? {})) &&
    !isOverCapacity(there) &&
    annotations[overCapacityAnnotation] === undefined
  );
}

function others(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => key !== headlessLabel && key !== managedByLabel));
}

function labelsOf(service: ServiceObject): Record<string, string> {
  const { [headlessLabel]: _own, ...labels } = service.metadata.labels ?? {};
  return { ...labels, ...(!hasClusterIp(service) && { [headlessLabel]: '' }), [managedByLabel]: managedBy };
}

// Upstream: k8s.io/kubernetes/pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go
import { hasCause, isReason } from '../../machinery/errors.ts';
import { defineController } from '../common/controller.ts';
import { IndexOf } from '../common/index-of.ts';
import type { ServiceObject } from '../common/service-pods.ts';
import { keyOf } from '../common/service-pods.ts';
import { UnseenWrites } from '../common/unseen-writes.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import type { EndpointsObject, MirrorPlan, SliceObject } from './mirror.ts';
import { managedBy, managedByLabel, planMirror, serviceNameLabel, TooManyAddressesError } from './mirror.ts';

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
/** of locks from the time when Endpoints were used for them */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const shortestDelayMs = 1000;

/** Copies Endpoints that people write, for services without a selector, into EndpointSlices, which proxies read. */
export const endpointSliceMirroring = defineController({
  name: 'endpointslice-mirroring-controller',
  account: 'endpointslicemirroring-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const services = informers.of<ServiceObject>('/api/v1/services');
    const all = informers.of<EndpointsObject>('/api/v1/endpoints');
    const slices = informers.of<SliceObject>('/apis/discovery.k8s.io/v1/endpointslices');
    const queue = new WorkQueue<string>({ name: 'endpoint_slice_mirroring', metrics, clock, log, process });
    const unseen = new UnseenWrites();

    using slicesByService = new IndexOf(slices, serviceKeyOf);
    using _services = services.subscribe({
      changed: (service, old) => {
        const isOther = old === undefined ? !hasSelector(service) : hasSelector(service) !== hasSelector(old);
        if (isOther) queue.add(keyOf(service));
      },
      deleted: (service) => {
        if (!hasSelector(service)) queue.add(keyOf(service));
      },
    });
    using _endpoints = all.subscribe({
      changed: (object, old) => {
        if (isMirrored(object) || (old !== undefined && isMirrored(old))) queue.add(keyOf(object));
      },
      deleted: (object) => {
        if (isMirrored(object)) queue.add(keyOf(object));
      },
    });
    using _slices = slices.subscribe({
      changed: (slice, old) => {
        unseen.saw(slice);
        for (const key of new Set([serviceKeyOf(slice), old && serviceKeyOf(old)])) later(key);
      },
      deleted: (slice) => {
        unseen.sawDeleted(serviceKeyOf(slice), slice);
        later(serviceKeyOf(slice));
      },
    });
    await queue.run(signal, services.synced, all.synced, slices.synced);

    /** Several changes of slices at once are one. */
    function later(key: string | undefined): void {
      if (key !== undefined) queue.addAfter(key, shortestDelayMs);
    }

    async function process(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      const endpoints = all.get(namespace, name);
      const service = services.get(namespace, name);
      const there = unseen.has(key) ? await listed(namespace, name) : [...slicesByService.get(key)];
      const isWanted = endpoints !== undefined && isMirrored(endpoints) && service !== undefined && !hasSelector(service);
      const plan = isWanted ? planned(endpoints, there) : { create: [], update: [], delete: there };
      if (plan === undefined) return;
      const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
      try {
        if (endpoints?.metadata.deletionTimestamp === undefined)
          for (const slice of plan.create) unseen.wrote(key, await client.create(path, slice));
        for (const slice of plan.update) unseen.wrote(key, await client.update(`${path}/${slice.metadata.name}`, slice));
        for (const slice of plan.delete) await remove(key, `${path}/${slice.metadata.name}`, slice);
      } catch (error) {
        if (hasCause(error, 'NamespaceTerminating')) return;
        if (isReason(error, 'NotFound')) throw new RetryError('a slice has gone in between');
        throw error;
      }
      if (!isWanted && plan.delete.length === 0) unseen.forget(key);
    }

    function planned(endpoints: EndpointsObject, there: readonly SliceObject[]): MirrorPlan | undefined {
      try {
        return planMirror(endpoints, there);
      } catch (error) {
        if (!(error instanceof TooManyAddressesError)) throw error;
        log.warn('Endpoints are not mirrored to EndpointSlices', { endpoints: keyOf(endpoints), err: error });
        return undefined;
      }
    }

    async function remove(key: string, path: string, slice: SliceObject): Promise<void> {
      const { uid = '' } = slice.metadata;
      unseen.deletes(key, uid);
      try {
        await client.delete(path, { propagationPolicy: 'Background', preconditions: { uid } });
      } catch (error) {
        unseen.sawDeleted(key, slice);
        if (!isReason(error, 'NotFound')) throw error;
      }
    }

    /** Slices as the server has them, for when informers are behind. */
    async function listed(namespace: string, name: string): Promise<SliceObject[]> {
      const query = new URLSearchParams({ labelSelector: `${serviceNameLabel}=${name},${managedByLabel}=${managedBy}` });
      const list = await client.get(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?${query}`);
      return (list as { items?: SliceObject[] | null }).items ?? [];
    }
  },
});

/** The service of a slice that is this controller's. */
function serviceKeyOf({ metadata }: SliceObject): string | undefined {
  const { [serviceNameLabel]: name, [managedByLabel]: manager } = metadata.labels ?? {};
  return manager === managedBy && name ? `${metadata.namespace}/${name}` : undefined;
}

/** An empty selector is one, too. */
function hasSelector({ spec }: ServiceObject): boolean {
  return spec.selector !== undefined;
}

function isMirrored({ metadata }: EndpointsObject): boolean {
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined;
}

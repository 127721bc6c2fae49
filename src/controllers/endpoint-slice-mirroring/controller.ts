// Upstream: k8s.io/kubernetes/pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go
import { hasCause, isReason } from '../../machinery/errors.ts';
import { defineController } from '../common/controller.ts';
import type { ServiceObject } from '../common/service-pods.ts';
import { keyOf } from '../common/service-pods.ts';
import type { SliceObject } from '../common/service-slices.ts';
import { ServiceSlices } from '../common/service-slices.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import type { EndpointsObject, MirrorPlan } from './mirror.ts';
import { managedBy, planMirror, TooManyAddressesError } from './mirror.ts';

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
    const allSlices = informers.of<SliceObject>('/apis/discovery.k8s.io/v1/endpointslices');
    const queue = new WorkQueue<string>({ name: 'endpoint_slice_mirroring', metrics, clock, log, process });

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
    // Several changes of slices at once are one.
    using slices = new ServiceSlices({ client, slices: allSlices, managedBy, changed: (key) => queue.addAfter(key, shortestDelayMs) });
    await queue.run(signal, services.synced, all.synced, allSlices.synced);

    async function process(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      const endpoints = all.get(namespace, name);
      const service = services.get(namespace, name);
      const there = await slices.of(key);
      const isWanted = endpoints !== undefined && isMirrored(endpoints) && service !== undefined && !hasSelector(service);
      const plan = isWanted ? planned(endpoints, there) : { create: [], update: [], delete: there };
      if (plan === undefined) return;
      try {
        if (endpoints?.metadata.deletionTimestamp === undefined) for (const slice of plan.create) await slices.create(key, slice);
        for (const slice of plan.update) await slices.update(key, slice);
        for (const slice of plan.delete) await slices.delete(key, slice);
      } catch (error) {
        if (hasCause(error, 'NamespaceTerminating')) return;
        if (isReason(error, 'NotFound')) throw new RetryError('a slice has gone in between');
        throw error;
      }
      if (!isWanted && plan.delete.length === 0) slices.forget(key);
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
  },
});

/** An empty selector is one, too. */
function hasSelector({ spec }: ServiceObject): boolean {
  return spec.selector !== undefined;
}

function isMirrored({ metadata }: EndpointsObject): boolean {
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined;
}

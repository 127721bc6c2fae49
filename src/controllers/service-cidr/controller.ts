// Upstream: k8s.io/kubernetes/pkg/controller/servicecidrs/servicecidrs_controller.go
import { Pace } from '../../base/pace.ts';
import { isReason } from '../../machinery/errors.ts';
import { parseIp } from '../../machinery/ip.ts';
import { timestamp } from '../../machinery/time.ts';
import type { IPAddress } from '../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import type { ServiceCidrObject } from './ranges.ts';
import { canGive, isWithin, overlap, rangesOf } from './ranges.ts';

const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
const managedBy = 'ipallocator.k8s.io';
const fieldManager = 'service-cidr-controller';
/** until every allocator knows that the range is to go */
const graceMs = 10_000;
const path = '/apis/networking.k8s.io/v1/servicecidrs';

/** Ranges of service addresses become ready, and go when no address that was given out depends on them. */
export const serviceCidrs = defineController({
  name: 'service-cidr-controller',
  account: 'service-cidrs-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const all = informers.of<ServiceCidrObject>(path);
    const addresses = informers.of<IPAddress & KubeObject>('/apis/networking.k8s.io/v1/ipaddresses');
    const queue = new WorkQueue<string>({ name: 'ipaddresses', metrics, clock, log, process });
    using _all = all.subscribe({
      changed: (cidr, old) => {
        queue.add(nameOf(cidr));
        // One that comes may free others that are to go.
        if (old === undefined)
          for (const other of all.values())
            if (rangesOf(cidr).some((range) => rangesOf(other).some((one) => overlap(range, one)))) queue.add(nameOf(other));
      },
      deleted: (cidr) => queue.add(nameOf(cidr)),
    });
    const addRangesOf = (address: KubeObject): void => {
      if (address.metadata.labels?.[managedByLabel] === managedBy) for (const cidr of containing(address)) queue.add(nameOf(cidr));
    };
    using _addresses = addresses.subscribe({
      changed: (address, old) => {
        if (old === undefined) addRangesOf(address);
      },
      deleted: addRangesOf,
    });
    await queue.run(signal, all.synced, addresses.synced);

    /** Those that a service's address can be from. */
    function containing({ metadata }: KubeObject): ServiceCidrObject[] {
      const address = parseIp(metadata.name ?? '');
      if (address === undefined) return [];
      return [...all.values()].filter((cidr) => rangesOf(cidr).some((range) => canGive(range, address)));
    }

    async function process(name: string): Promise<void> {
      const cidr = all.get('', name);
      if (cidr === undefined) return;
      const { deletionTimestamp, finalizers = [] } = cidr.metadata;
      if (deletionTimestamp === undefined) {
        if (!finalizers.includes(finalizer)) await setFinalizers(cidr, [...finalizers, finalizer]);
        return setReady(cidr, { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' });
      }
      if (!(await canGo(cidr))) {
        const message = 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';
        return setReady(cidr, { status: 'False', reason: 'Terminating', message });
      }
      const left = graceMs - (clock.now() - Date.parse(deletionTimestamp));
      if (left > 0) throw new RetryError('allocators may not know yet that the range is to go', left);
      if (finalizers.includes(finalizer))
        await setFinalizers(
          cidr,
          finalizers.filter((one) => one !== finalizer),
        );
    }

    /** Whether no address that was given out would be left without a range. */
    async function canGo(cidr: ServiceCidrObject): Promise<boolean> {
      const ranges = rangesOf(cidr);
      const others = [...all.values()].filter((other) => nameOf(other) !== nameOf(cidr)).flatMap(rangesOf);
      if (ranges.every((range) => others.some((other) => isWithin(range, other)))) return true;
      const pace = new Pace();
      for (const { metadata } of [...addresses.values()]) {
        if (pace.isDue) await pace.rest();
        const address = metadata.labels?.[managedByLabel] === managedBy ? parseIp(metadata.name ?? '') : undefined;
        if (address === undefined || !ranges.some((range) => canGive(range, address))) continue;
        if (!others.some((range) => canGive(range, address))) return false;
      }
      return true;
    }

    async function setFinalizers({ metadata }: ServiceCidrObject, finalizers: readonly string[]): Promise<void> {
      const { name, uid, resourceVersion } = metadata;
      try {
        await client.patch(`${path}/${name}`, { metadata: { uid, resourceVersion, finalizers } });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }

    async function setReady(cidr: ServiceCidrObject, ready: { status: string; reason: string; message: string }): Promise<void> {
      const known = (cidr.status?.conditions ?? []).find(({ type }) => type === 'Ready');
      const { status, reason, message } = ready;
      if (known?.status === status && (known.reason ?? '') === reason && known.message === message) return;
      const condition = { type: 'Ready', ...ready, lastTransitionTime: timestamp(clock.now()) };
      const object = {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        metadata: { name: nameOf(cidr) },
        status: { conditions: [condition] },
      };
      await client.apply(`${path}/${nameOf(cidr)}/status`, object, fieldManager);
    }
  },
});

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

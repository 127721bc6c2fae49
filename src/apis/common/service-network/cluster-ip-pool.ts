// Upstream: k8s.io/kubernetes/pkg/registry/core/service/ipallocator/{cidrallocator,ipallocator}.go
import { randomUUID } from 'node:crypto';
import { cidrContains, formatCidr, formatIp, isIpv4, parseCidr, parseIp } from '../../../machinery/ip.ts';
import type { Cidr } from '../../../machinery/ip.ts';
import type { IPAddress, ServiceCIDR } from '../../../schema/types/networking-v1.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Store } from '../../../server/registry/store.ts';
import { AllocationError, rangeIsFull } from './allocation-error.ts';
import type { AddressMetrics, AllocationScope } from './allocator-metrics.ts';

export type IpFamily = 'IPv4' | 'IPv6';

/** Whose address it is. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

const group = 'networking.k8s.io';
export const familyLabel = 'ipaddress.kubernetes.io/ip-family';
export const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
export const allocatorName = 'ipallocator.k8s.io';

const reservedAtLeast = 16n;
const reservedAtMost = 256n;
const reservedShare = 16n;

/** Addresses of one family, from the ServiceCIDRs of the cluster; an IPAddress object stands for each one that is taken. */
export class ClusterIpPool {
  readonly family: IpFamily;
  /** of writes that are under way */
  readonly #held = new Set<string>();
  readonly #metrics: AddressMetrics | undefined;
  /** ranges that addresses were taken from or given back to, with where that is written down */
  readonly #used = new Map<string, { readonly range: AddressRange; readonly store: Store }>();

  constructor(family: IpFamily, metrics?: AddressMetrics) {
    this.family = family;
    this.#metrics = metrics;
    metrics?.onCollect(() => this.#countAddresses(metrics));
  }

  /** Takes this address; throws AllocationError when it is not to be had. */
  async allocate(reader: ObjectReader, address: string, dryRun: boolean): Promise<void> {
    const ip = parseIp(address);
    const ranges = (await this.#ranges(reader)).filter(({ ready }) => ready);
    const range = ranges.find(
      ({ cidr, first, last }) => ip !== undefined && cidrContains(cidr, ip) && ip.value >= first && ip.value <= last,
    );
    if (ip === undefined || range === undefined) {
      // Quirk: a dry run asks any one range, not the one that has the address.
      const any = ranges[0];
      if (dryRun && any !== undefined) {
        throw new AllocationError(
          `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${formatCidr(any.cidr)}`,
        );
      }
      throw new AllocationError('the provided network does not match the current range');
    }
    if (dryRun) return;
    const name = formatIp(ip.value);
    const began = performance.now();
    if (await this.#isTaken(reader, name)) {
      this.#metrics?.errors.with(formatCidr(range.cidr), 'static').inc();
      throw new AllocationError('provided IP is already allocated');
    }
    this.#held.add(name);
    this.#allocated(range, 'static', began, reader);
  }

  async allocateNext(reader: ObjectReader, dryRun: boolean): Promise<string> {
    const ranges = await this.#ranges(reader);
    // Quirk: the address of a dry run is not one to be had, it is the network's own.
    if (dryRun && ranges[0] !== undefined) return formatIp(ranges[0].cidr.network);
    const began = performance.now();
    const { store } = reader.resource(group, 'ipaddresses');
    await store.cache.ready();
    const isFree = (value: bigint): boolean => {
      const name = formatIp(value);
      return !this.#held.has(name) && store.cache.get(store.key('', name)) === undefined;
    };
    for (const range of ranges) {
      const { first, last, offset, ready } = range;
      if (!ready) continue;
      const found = scan(first + offset, last, isFree) ?? scan(first, first + offset - 1n, isFree);
      if (found === undefined) {
        this.#metrics?.errors.with(formatCidr(range.cidr), 'dynamic').inc();
        continue;
      }
      const name = formatIp(found);
      this.#held.add(name);
      this.#allocated(range, 'dynamic', began, reader);
      return name;
    }
    throw rangeIsFull();
  }

  letGo(address: string): void {
    const ip = parseIp(address);
    if (ip !== undefined) this.#held.delete(formatIp(ip.value));
  }

  #allocated(range: AddressRange, scope: AllocationScope, began: number, reader: ObjectReader): void {
    if (this.#metrics === undefined) return;
    const cidr = formatCidr(range.cidr);
    this.#metrics.allocations.with(cidr, scope).inc();
    this.#metrics.seconds.with(cidr).observe((performance.now() - began) / 1000);
    this.#used.set(cidr, { range, store: reader.resource(group, 'ipaddresses').store });
  }

  /** Only when metrics are read: a write should not look at all addresses. */
  #countAddresses({ allocated, available }: AddressMetrics): void {
    for (const [name, { range, store }] of this.#used) {
      if (!store.cache.isReady) continue;
      let count = 0n;
      for (const { key, labels } of store.cache.list({ prefix: store.key('', '') }).items) {
        if (labels?.[familyLabel] !== this.family || labels[managedByLabel] !== allocatorName) continue;
        const ip = parseIp(key.slice(key.lastIndexOf('/') + 1));
        if (ip !== undefined && cidrContains(range.cidr, ip)) count++;
      }
      const size = range.last - range.first + 1n;
      allocated.with(name).set(Number(count));
      available.with(name).set(Number(size > count ? size - count : 0n));
    }
  }

  async #isTaken(reader: ObjectReader, name: string): Promise<boolean> {
    return this.#held.has(name) || (await reader.get(group, 'ipaddresses', '', name)) !== undefined;
  }

  async #ranges(reader: ObjectReader): Promise<readonly AddressRange[]> {
    const byCidr = new Map<string, AddressRange>();
    for (const { metadata, spec, status } of await reader.list<ServiceCIDR & KubeObject>(group, 'servicecidrs', '')) {
      // Without the condition it counts as ready: there may be no controller that sets it.
      const condition = status?.conditions?.find(({ type }) => type === 'Ready');
      const ready = metadata.deletionTimestamp === undefined && (condition === undefined || condition.status === 'True');
      for (const text of spec.cidrs ?? []) {
        const cidr = parseCidr(text);
        if (cidr === undefined || isIpv4(cidr.ip) !== (this.family === 'IPv4')) continue;
        byCidr.set(text, { ...addressRange(cidr), ready: ready || byCidr.get(text)?.ready === true });
      }
    }
    return [...byCidr.values()];
  }
}

interface AddressRange {
  readonly cidr: Cidr;
  readonly first: bigint;
  readonly last: bigint;
  /** this many at the start are left to those who ask for a certain address, until the rest is used up */
  readonly offset: bigint;
  readonly ready: boolean;
}

function addressRange(cidr: Cidr): Omit<AddressRange, 'ready'> {
  const size = 1n << BigInt((cidr.ip.dotted ? 32 : 128) - cidr.prefixLength);
  // Never the network's own address, nor the broadcast address, which only IPv4 has.
  const first = cidr.network + 1n;
  const last = cidr.network + size - (cidr.ip.dotted ? 2n : 1n);
  const share = size / reservedShare;
  const clamped = share < reservedAtLeast ? reservedAtLeast : share > reservedAtMost ? reservedAtMost : share;
  return { cidr, first, last, offset: size <= reservedAtLeast ? 0n : clamped };
}

/** The first free address from a random one on, around the end. */
function scan(first: bigint, last: bigint, isFree: (value: bigint) => boolean): bigint | undefined {
  const size = last - first + 1n;
  if (size <= 0n) return undefined;
  const start = randomBelow(size);
  for (let step = 0n; step < size; step++) {
    const value = first + ((start + step) % size);
    if (isFree(value)) return value;
  }
  return undefined;
}

function randomBelow(limit: bigint): bigint {
  const [high, low] = crypto.getRandomValues(new BigUint64Array(2));
  return (((high as bigint) << 64n) | (low as bigint)) % limit;
}

/** The IPAddress that keeps this address for a service. */
export function addressFor(address: string, service: ServiceReference, now: string): IPAddress & KubeObject {
  const ip = parseIp(address);
  const value = ip?.value ?? 0n;
  return ipAddressOf(formatIp(value), isIpv4({ value }) ? 'IPv4' : 'IPv6', service, now);
}

export function ipAddressOf(
  name: string,
  family: IpFamily,
  { namespace, name: service }: ServiceReference,
  now: string,
): IPAddress & KubeObject {
  return {
    metadata: {
      name,
      uid: randomUUID(),
      creationTimestamp: now,
      labels: { [familyLabel]: family, [managedByLabel]: allocatorName },
      managedFields: [
        {
          manager: 'kube-apiserver',
          operation: 'Update',
          apiVersion: 'networking.k8s.io/v1',
          time: now,
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': { 'f:labels': { '.': {}, [`f:${familyLabel}`]: {}, [`f:${managedByLabel}`]: {} } },
            'f:spec': { 'f:parentRef': { '.': {}, 'f:name': {}, 'f:namespace': {}, 'f:resource': {} } },
          },
        },
      ],
    },
    spec: { parentRef: { resource: 'services', namespace, name: service } },
  };
}

/** The name of the IPAddress of an address. */
export function addressName(address: string): string {
  const ip = parseIp(address);
  return ip === undefined ? address : formatIp(ip.value);
}

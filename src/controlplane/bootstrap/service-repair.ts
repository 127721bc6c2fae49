// Upstream: k8s.io/kubernetes/pkg/registry/core/service/{portallocator,ipallocator}/controller/repair*.go
//
// This server writes a service and what it has reserved in one transaction, so nothing leaks here. Another server on the same store may
// work otherwise, may die in between, or an administrator may change an IPAddress by hand: then addresses and ports are brought into line again.
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { inSlices } from '../../base/slices.ts';
import { formatIp, isIpv4, parseIp } from '../../machinery/ip.ts';
import { ApiError } from '../../machinery/errors.ts';
import { timestamp } from '../../machinery/time.ts';
import type { Service } from '../../schema/types/core-v1.ts';
import type { IPAddress } from '../../schema/types/networking-v1.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { OwnWrites } from '../../server/registry/context.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { StoredEntry } from '../../server/registry/entry.ts';
import { follow } from '../../server/registry/follow.ts';
import type { CacheEventType } from '../../storage/cache/types.ts';
import type { Storage } from '../../storage/storage.ts';
import { allocatorName, familyLabel, ipAddressOf, managedByLabel } from '../../apis/common/service-network/cluster-ip-pool.ts';
import type { PortRange } from '../../apis/common/service-network/port-bitmap.ts';
import { PortBitmap, inRange } from '../../apis/common/service-network/port-bitmap.ts';
import { nodePortsKey, readPorts, writePorts } from '../../apis/common/service-network/range-allocation.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { periodically } from './periodically.ts';

export interface ServiceRepairOptions {
  readonly reader: ObjectReader;
  readonly writer: OwnWrites;
  readonly clock: Clock;
  readonly log: Logger;
  readonly nodePorts: PortRange;
  readonly storagePrefix: string;
  readonly metrics: MetricsRegistry;
}

type ServiceObject = Service & KubeObject;
type IpAddressObject = IPAddress & KubeObject;

/** What a round remembers of a service: there may be a hundred thousand. */
interface Holder {
  /** as namespace/name */
  readonly name: string;
  readonly ports: ReadonlySet<number>;
  readonly addresses: readonly string[];
}

const intervalMs = 3 * 60_000;
/** an address may be a little older than its service */
const graceMs = 60_000;
/** a port is given back when it has looked leaked this often, since its service may be on the way */
const roundsBeforeRelease = 3;
/** how long after a service has changed its addresses are looked at: those that changed meanwhile are looked at together */
const settleMs = 1000;
const networking = 'networking.k8s.io';

/** What was wrong with node ports. Addresses have none: upstream counts them for a way to allocate that is no more. */
export function nodePortRepairFamilies(registry: MetricsRegistry) {
  return {
    errors: registry.counter({
      name: 'apiserver_nodeport_repair_port_errors_total',
      help: 'Node ports that were not as they should be: leak, repair (not allocated), outOfRange or duplicate',
      labels: ['type'],
    }),
    failures: registry.counter({
      name: 'apiserver_nodeport_repair_reconcile_errors_total',
      help: 'Times that node ports could not be looked at or brought into line',
    }),
  };
}

export function serviceRepairHook(options: ServiceRepairOptions): BootstrapHook {
  const repair = new ServiceRepair(options);
  return {
    name: 'start-service-ip-repair-controllers',
    begin: () => repair.run(),
    run: async (signal) => {
      const { clock, log } = options;
      const failed = (error: unknown): void => log.error('Services could not be repaired', { err: error });
      periodically(() => repair.run(), { everyMs: intervalMs, clock, signal, failed });
      repair.followAddresses(signal);
      repair.followServices(signal);
    },
  };
}

export class ServiceRepair {
  readonly #options: ServiceRepairOptions;
  /** rounds left until a port that no service has is given back */
  readonly #suspects = new Map<number, number>();
  /** when addresses that have appeared are looked at, in the order of these times */
  readonly #appeared = new Map<string, number>();
  #timer: Disposable | undefined;
  /** services that have changed, as namespace/name, until they are looked at */
  readonly #changed = new Set<string>();

  readonly #metrics;

  constructor(options: ServiceRepairOptions) {
    this.#options = options;
    this.#metrics = nodePortRepairFamilies(options.metrics);
  }

  async run(): Promise<void> {
    const holders = await this.#holders();
    try {
      await this.#repairPorts(holders.values());
    } catch (error) {
      this.#metrics.failures.with().inc();
      throw error;
    }
    await this.#repairAddresses(holders);
  }

  async #holders(): Promise<Map<string, Holder>> {
    const holders = new Map<string, Holder>();
    for await (const service of inSlices(await this.#options.reader.list<ServiceObject>('', 'services', ''))) {
      const name = nameOf(service);
      holders.set(name, { name, ports: portsOf(service), addresses: clusterIpsOf(service) });
    }
    return holders;
  }

  /** An address whose service has not come by the end of its grace need not wait for the next round. */
  followAddresses(signal: AbortSignal): void {
    const { reader, clock, log } = this.#options;
    const resource = reader.resource(networking, 'ipaddresses');
    signal.addEventListener('abort', () => this.#timer?.[Symbol.dispose](), { once: true });
    const event = (type: CacheEventType, { key }: StoredEntry): void => {
      const name = key.slice(resource.keyPrefix.length);
      this.#appeared.delete(name);
      if (type === 'DELETED' || signal.aborted) return;
      this.#appeared.set(name, clock.elapsed() + graceMs + 1);
      if (this.#appeared.size === 1) this.#lookLater(signal);
    };
    void follow({ name: 'IPAddresses', resource, event, signal, clock, log });
  }

  /** A service that came without its address, from a store that others write to, need not wait for the next round either. */
  followServices(signal: AbortSignal): void {
    const { reader, clock, log } = this.#options;
    const resource = reader.resource('', 'services');
    const failed = (error: unknown): void => log.error('Addresses of Services could not be repaired', { err: error });
    let timer: Disposable | undefined;
    signal.addEventListener('abort', () => timer?.[Symbol.dispose](), { once: true });
    const event = (type: CacheEventType, { key }: StoredEntry): void => {
      if (type === 'DELETED' || signal.aborted) return;
      this.#changed.add(key.slice(resource.keyPrefix.length));
      if (this.#changed.size === 1) timer = clock.setTimeout(() => void this.#repairChanged().catch(failed), settleMs);
    };
    void follow({ name: 'Services', resource, event, signal, clock, log });
  }

  async #repairChanged(): Promise<void> {
    const names = [...this.#changed];
    this.#changed.clear();
    for await (const name of inSlices(names)) await this.#repairAddressesOf(name);
  }

  async #service(owner: string): Promise<ServiceObject | undefined> {
    const [namespace = '', name = ''] = owner.split('/');
    return this.#options.reader.get<ServiceObject>('', 'services', namespace, name);
  }

  async #address(name: string): Promise<IpAddressObject | undefined> {
    return this.#options.reader.get<IpAddressObject>(networking, 'ipaddresses', '', name);
  }

  #lookLater(signal: AbortSignal): void {
    const { clock, log } = this.#options;
    this.#timer?.[Symbol.dispose]();
    const [first] = this.#appeared.values();
    if (first === undefined || signal.aborted) return;
    const failed = (error: unknown): void => log.error('IPAddresses could not be repaired', { err: error });
    const look = (): void =>
      void this.#repairAppeared()
        .catch(failed)
        .finally(() => this.#lookLater(signal));
    this.#timer = clock.setTimeout(look, first - clock.elapsed());
  }

  async #repairAppeared(): Promise<void> {
    const { clock } = this.#options;
    for await (const [name, due] of inSlices(this.#appeared)) {
      if (due > clock.elapsed()) return;
      this.#appeared.delete(name);
      await this.#releaseIfLeaked(name);
    }
  }

  async #releaseIfLeaked(name: string): Promise<void> {
    const address = await this.#address(name);
    if (address === undefined || address.metadata.labels?.[managedByLabel] !== allocatorName) return;
    const owner = ownerOf(address);
    const service = owner === undefined ? undefined : await this.#service(owner);
    if (!clusterIpsOf(service).includes(name)) await this.#release(name, address);
  }

  async #release(name: string, address: IpAddressObject): Promise<void> {
    this.#options.log.warn('IPAddress appears to have leaked: cleaning up', { name });
    await this.#unlessRefused(name, () => this.#delete(name, address));
  }

  /** One that admission refuses to change is looked at again in the next round; the others do not wait for it. */
  async #unlessRefused(name: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#options.log.error('IPAddress could not be repaired', { name, err: error });
    }
  }

  async #repairPorts(holders: Iterable<Holder>): Promise<void> {
    const { nodePorts, storagePrefix, log } = this.#options;
    const key = nodePortsKey(storagePrefix);
    const { ports: stored, revision } = await readPorts(this.#storage, key, nodePorts);
    const rebuilt = new PortBitmap(nodePorts);
    for await (const { name: service, ports } of inSlices(holders)) {
      for (const port of ports) {
        const where = { service, port };
        const found = (type: string, message: string): void => {
          this.#metrics.errors.with(type).inc();
          log.warn(message, where);
        };
        if (!inRange(nodePorts, port)) found('outOfRange', 'node port of a Service is not within the range; please recreate the Service');
        else if (rebuilt.has(port)) found('duplicate', 'node port was assigned to multiple Services; please recreate the Service');
        else if (!stored.has(port)) found('repair', 'node port of a Service was not allocated; repairing');
        if (inRange(nodePorts, port)) rebuilt.set(port, true);
        this.#suspects.delete(port);
      }
    }
    for (const port of stored.taken()) {
      if (rebuilt.has(port)) continue;
      const left = (this.#suspects.get(port) ?? roundsBeforeRelease) - 1;
      if (left > 0) {
        this.#suspects.set(port, left);
        rebuilt.set(port, true);
      } else {
        this.#suspects.delete(port);
        this.#metrics.errors.with('leak').inc();
        log.warn('node port of no Service appears to have leaked: cleaning up', { port });
      }
    }
    if (revision !== 0 && rebuilt.toData() === stored.toData()) return;
    const { succeeded } = await this.#storage.transact([writePorts(key, { ports: rebuilt, revision })]);
    // There was an allocation meanwhile: what was read is old.
    if (!succeeded) await this.#repairPorts((await this.#holders()).values());
  }

  async #repairAddresses(holders: ReadonlyMap<string, Holder>): Promise<void> {
    const { reader } = this.#options;
    const isHeld = (owner: string | undefined, name: string): owner is string =>
      owner !== undefined && (holders.get(owner)?.addresses.includes(name) ?? false);
    /** owners of addresses that are as they should be */
    const sound = new Map<string, string>();
    const leaked: string[] = [];
    for await (const address of inSlices(await reader.list<IpAddressObject>(networking, 'ipaddresses', ''))) {
      const { name = '', labels } = address.metadata;
      const owner = ownerOf(address);
      if (isHeld(owner, name)) {
        if (hasLabels(address)) sound.set(name, owner);
      } else if (labels?.[managedByLabel] === allocatorName && (owner === undefined || !this.#isYoung(address))) leaked.push(name);
    }
    for await (const { name, addresses } of inSlices(holders.values())) {
      if (addresses.some((address) => sound.get(address) !== name)) await this.#repairAddressesOf(name);
    }
    for await (const name of inSlices(leaked)) await this.#releaseIfLeaked(name);
  }

  async #repairAddressesOf(name: string): Promise<void> {
    const service = await this.#service(name);
    if (service === undefined) return;
    for (const clusterIP of clusterIpsOf(service)) await this.#repairAddress(clusterIP, name, service);
  }

  async #repairAddress(name: string, mine: string, service: ServiceObject): Promise<void> {
    const { log } = this.#options;
    const address = await this.#address(name);
    const owner = address && ownerOf(address);
    if (address !== undefined && owner === mine && hasLabels(address)) return;
    if (owner !== undefined && owner !== mine && clusterIpsOf(await this.#service(owner)).includes(name)) {
      log.warn('cluster IP was assigned to multiple Services; please recreate the Service', { service: mine, clusterIP: name });
      return;
    }
    log.warn('cluster IP of a Service was not allocated; repairing', { service: mine, clusterIP: name });
    await this.#unlessRefused(name, () => this.#recreate(name, service, address));
  }

  #isYoung({ metadata }: IpAddressObject): boolean {
    return this.#options.clock.now() - Date.parse(metadata.creationTimestamp ?? '') < graceMs;
  }

  async #recreate(name: string, { metadata }: ServiceObject, existing: IpAddressObject | undefined): Promise<void> {
    const { reader, writer, clock } = this.#options;
    const { store } = reader.resource(networking, 'ipaddresses');
    const ip = parseIp(name);
    const owner = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const family = ip === undefined || isIpv4(ip) ? 'IPv4' : 'IPv6';
    if (existing !== undefined) await this.#delete(name, existing);
    const address = await writer.admitCreate(networking, 'ipaddresses', ipAddressOf(name, family, owner, timestamp(clock.now())));
    await this.#storageOfAddresses.transact([store.createOperation(address)]);
  }

  async #delete(name: string, address: IpAddressObject): Promise<void> {
    const { reader, writer } = this.#options;
    await writer.admitDelete(networking, 'ipaddresses', address);
    const key = reader.resource(networking, 'ipaddresses').store.key('', name);
    await this.#storageOfAddresses.transact([{ type: 'delete', key, expect: Number(address.metadata.resourceVersion) }]);
  }

  get #storage(): Storage {
    return this.#options.reader.resource('', 'services').store.storage;
  }

  get #storageOfAddresses(): Storage {
    return this.#options.reader.resource(networking, 'ipaddresses').store.storage;
  }
}

const nameOf = ({ metadata: { namespace = '', name = '' } }: ServiceObject): string => `${namespace}/${name}`;

/** One number may serve two protocols. */
function portsOf({ spec }: ServiceObject): ReadonlySet<number> {
  const ports = new Set((spec.ports ?? []).flatMap(({ nodePort }) => nodePort || []));
  if (spec.healthCheckNodePort) ports.add(spec.healthCheckNodePort);
  return ports;
}

function clusterIpsOf(service: ServiceObject | undefined): string[] {
  if (service === undefined || service.spec.type === 'ExternalName') return [];
  // Old releases stored the first one only.
  const addresses = service.spec.clusterIPs?.length ? service.spec.clusterIPs : [service.spec.clusterIP ?? ''];
  return addresses.flatMap((address) => {
    const ip = parseIp(address);
    return ip === undefined ? [] : [formatIp(ip.value)];
  });
}

/** `namespace/name` of the service that an address says it belongs to */
function ownerOf({ spec }: IpAddressObject): string | undefined {
  const { group = '', resource, namespace = '', name = '' } = spec.parentRef ?? {};
  return group === '' && resource === 'services' ? `${namespace}/${name}` : undefined;
}

function hasLabels({ metadata: { labels = {}, name = '' } }: IpAddressObject): boolean {
  const ip = parseIp(name);
  const family = ip === undefined || isIpv4(ip) ? 'IPv4' : 'IPv6';
  return labels[familyLabel] === family && labels[managedByLabel] === allocatorName;
}

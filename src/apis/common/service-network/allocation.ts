// Upstream: k8s.io/kubernetes/pkg/registry/core/service/storage/{storage,alloc}.go
import { append } from '../../../machinery/append.ts';
import { ApiError, internalError, invalid } from '../../../machinery/errors.ts';
import { FieldPath, invalid as invalidField } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { nameIsPathSegment } from '../../../machinery/names.ts';
import type { ServicePort } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject, Reservation } from '../../../server/registry/definition.ts';
import type { Operation } from '../../../storage/storage.ts';
import { AllocationError } from './allocation-error.ts';
import type { AddressMetrics } from './allocator-metrics.ts';
import { ClusterIpPool, addressFor, addressName } from './cluster-ip-pool.ts';
import type { IpFamily, ServiceReference } from './cluster-ip-pool.ts';
import type { NodePortOperation, NodePortPool } from './node-port-pool.ts';
import { initIpFamilies, keepsPreferredDualStack } from './ip-families.ts';
import { completeStored, keepAllocated, normalizeClusterIps } from './linked-fields.ts';
import { familyOf, isHeadless, mayHaveNodePorts, needsClusterIp, needsHealthCheck, nodePortsOf, wantsNodePorts } from './service-object.ts';
import type { ServiceObject } from './service-object.ts';

const specPath = FieldPath.root('spec');
const apiGroup = 'networking.k8s.io';
const plural = 'ipaddresses';

/** Addresses and node ports of services: taken when a service is written, given back when it goes. */
export class ServiceAllocation {
  /** the first one is what services get that do not say */
  readonly #families: readonly IpFamily[];
  readonly #addresses: ReadonlyMap<string, ClusterIpPool>;
  readonly #nodePorts: NodePortPool;

  constructor(families: readonly IpFamily[], nodePorts: NodePortPool, metrics?: AddressMetrics) {
    this.#families = families;
    this.#addresses = new Map(families.map((family) => [family, new ClusterIpPool(family, metrics)]));
    this.#nodePorts = nodePorts;
  }

  async beginCreate(service: ServiceObject, context: WriteContext): Promise<Reservation> {
    normalizeClusterIps(service, undefined);
    return this.#reserve(service, context, async (reservation) => {
      initIpFamilies(service, undefined, this.#families, context.features);
      await this.#allocateAll(service, reservation);
      if (mayHaveNodePorts(service)) await initNodePorts(service, reservation.ports);
      if (needsHealthCheck(service)) await allocateHealthCheckPort(service, reservation.ports);
    });
  }

  async beginUpdate(service: ServiceObject, old: ServiceObject, context: WriteContext): Promise<Reservation> {
    completeStored(old, this.#families[0] as IpFamily);
    keepAllocated(service, old);
    normalizeClusterIps(service, old);
    return this.#reserve(service, context, async (reservation) => {
      initIpFamilies(service, old, this.#families, context.features);
      await this.#updateAddresses(service, old, reservation);
      if (mayHaveNodePorts(service)) await updateNodePorts(service, old, reservation.ports);
      else for (const port of nodePortsOf(old)) reservation.ports.release(port);
      if (needsHealthCheck(service) && !needsHealthCheck(old)) await allocateHealthCheckPort(service, reservation.ports);
      if (needsHealthCheck(old) && !needsHealthCheck(service)) reservation.ports.release(old.spec.healthCheckNodePort ?? 0);
    });
  }

  async beginDelete(service: ServiceObject, context: WriteContext): Promise<Reservation> {
    completeStored(service, this.#families[0] as IpFamily);
    return this.#reserve(service, context, (reservation) => {
      if (needsClusterIp(service) && !isHeadless(service)) reservation.giveBack(service.spec.clusterIPs ?? []);
      for (const port of nodePortsOf(service)) reservation.ports.release(port);
      if (needsHealthCheck(service)) reservation.ports.release(service.spec.healthCheckNodePort ?? 0);
    });
  }

  async #reserve(
    service: ServiceObject,
    context: WriteContext,
    fill: (reservation: ServiceReservation) => Promise<void> | void,
  ): Promise<Reservation> {
    const { storage } = context.reader.resource('', 'services').store;
    const reservation = new ServiceReservation(service, context, this.#addresses, this.#nodePorts.begin(storage, context.dryRun));
    try {
      await fill(reservation);
      return reservation;
    } catch (error) {
      reservation.finish();
      throw error;
    }
  }

  /** One address per family; those that the service names, others where it names none. */
  async #allocateAll(service: ServiceObject, reservation: ServiceReservation): Promise<void> {
    const { spec } = service;
    if (!needsClusterIp(service) || isHeadless(service)) return;
    const families = spec.ipFamilies ?? [];
    // Errors show the list with an empty place for each address that is still missing.
    const addresses = (spec.clusterIPs = families.map((_, index) => spec.clusterIPs?.[index] ?? ''));
    for (const [index, family] of families.entries()) addresses[index] = await reservation.take(family, addresses[index] ?? '');
    if (addresses[0] !== undefined) spec.clusterIP = addresses[0];
  }

  async #updateAddresses(service: ServiceObject, old: ServiceObject, reservation: ServiceReservation): Promise<void> {
    const { spec } = service;
    if (keepsPreferredDualStack(service, old)) return;
    if (!needsClusterIp(old)) {
      await this.#allocateAll(service, reservation);
      return;
    }
    if (isHeadless(old)) return;
    const { ipFamilies: before = [], clusterIPs: oldAddresses = [] } = old.spec;
    if (!needsClusterIp(service)) {
      reservation.giveBack(oldAddresses);
      return;
    }
    const { ipFamilies = [], clusterIPs = [] } = spec;
    if (before.length === 1 && ipFamilies.length === 2) {
      const second = await reservation.take(ipFamilies[1] as string, clusterIPs[1] ?? '');
      spec.clusterIPs = [...clusterIPs.slice(0, 1), second];
    }
    if (before.length === 2 && ipFamilies.length === 1) reservation.giveBack(oldAddresses.slice(1));
  }
}

/** What one write of a service takes and gives back. */
class ServiceReservation implements Reservation {
  readonly ports: NodePortOperation;
  readonly #service: ServiceObject;
  readonly #context: WriteContext;
  readonly #addresses: ReadonlyMap<string, ClusterIpPool>;
  readonly #taken: string[] = [];
  /** for those taken, as admission leaves them */
  readonly #created: KubeObject[] = [];
  readonly #givenBack: string[] = [];
  #released: Promise<readonly string[]> | undefined;

  constructor(service: ServiceObject, context: WriteContext, addresses: ReadonlyMap<string, ClusterIpPool>, ports: NodePortOperation) {
    this.#service = service;
    this.#context = context;
    this.#addresses = addresses;
    this.ports = ports;
  }

  /** Takes the wanted address, or any when none is wanted. */
  async take(family: string, wanted: string): Promise<string> {
    const { reader, dryRun } = this.#context;
    const pool = this.#addresses.get(family) as ClusterIpPool;
    try {
      const address = wanted === '' ? await pool.allocateNext(reader, dryRun) : wanted;
      if (wanted !== '') await pool.allocate(reader, wanted, dryRun);
      if (dryRun) return address;
      this.#taken.push(address);
      checkOwner(this.#service.metadata.name ?? '', address);
      this.#created.push(await this.#admitted(address));
      return address;
    } catch (error) {
      throw this.#refusal(error, wanted);
    }
  }

  /** Upstream creates it by a request of its own; here it is created with the service or not at all. */
  async #admitted(address: string): Promise<KubeObject> {
    const { own, now } = this.#context;
    try {
      return await own.admitCreate(apiGroup, plural, addressFor(address, this.#owner(), now));
    } catch (error) {
      if (error instanceof ApiError) throw new AllocationError(error.message);
      throw error;
    }
  }

  #owner(): ServiceReference {
    const { metadata } = this.#service;
    return { namespace: metadata.namespace ?? this.#context.namespace, name: metadata.name ?? '' };
  }

  /** Names of those that admission lets go. The service goes in any case, as with upstream. */
  async #releasable(): Promise<readonly string[]> {
    const { reader, own } = this.#context;
    const names: string[] = [];
    for (const address of this.#givenBack) {
      const name = addressName(address);
      const object = await reader.get(apiGroup, plural, '', name);
      try {
        if (object !== undefined) await own.admitDelete(apiGroup, plural, object);
        names.push(name);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
    return names;
  }

  #refusal(error: unknown, wanted: string): unknown {
    if (!(error instanceof AllocationError)) return error;
    const { metadata, spec } = this.#service;
    const { name = '' } = metadata;
    if (error.full) return internalError(`failed to allocate a serviceIP for Service ${JSON.stringify(name)}: ${error.message}`);
    const what = wanted === '' ? 'IP' : `IP ${wanted}`;
    return refused(
      this.#service,
      invalidField(specPath.child('clusterIPs'), spec.clusterIPs, `failed to allocate ${what}: ${error.message}`),
    );
  }

  /** Addresses of families that the cluster no longer has were never taken from it. */
  giveBack(addresses: readonly string[]): void {
    append(
      this.#givenBack,
      addresses.filter((address) => this.#addresses.has(familyOf(address))),
    );
  }

  async operations(): Promise<readonly Operation[]> {
    const { store } = this.#context.reader.resource(apiGroup, plural);
    this.#released ??= this.#releasable();
    const released = await this.#released;
    return [
      ...this.#created.map((object) => store.createOperation(object)),
      ...released.map((name): Operation => ({ type: 'delete', key: store.key('', name) })),
      ...(await this.ports.operations()),
    ];
  }

  finish(revision?: number): void {
    for (const address of this.#taken) this.#addresses.get(familyOf(address))?.letGo(address);
    this.ports.finish(revision !== undefined);
  }
}

/** The IPAddress is the first to need the name of the service, and says so. */
function checkOwner(name: string, address: string): void {
  const [problem] = nameIsPathSegment(name, false);
  const detail = name === '' ? 'Required value' : problem && `Invalid value: ${goQuote(name)}: ${problem}`;
  if (detail === undefined) return;
  throw new AllocationError(`IPAddress.networking.k8s.io ${goQuote(address)} is invalid: spec.parentRef.name: ${detail}`);
}

function refused({ metadata }: ServiceObject, error: ReturnType<typeof invalidField>): ApiError {
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [error]);
}

async function allocatePort(service: ServiceObject, index: number, wanted: number, ports: NodePortOperation): Promise<void> {
  try {
    await ports.allocate(wanted);
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    throw refused(service, invalidField(specPath.child('ports').index(index).child('nodePort'), wanted, error.message));
  }
}

async function allocateAnyPort(ports: NodePortOperation): Promise<number> {
  try {
    return await ports.allocateNext();
  } catch (error) {
    throw error instanceof AllocationError ? internalError(`failed to allocate a nodePort: ${error.message}`) : error;
  }
}

/** Ports of one number (TCP and UDP, say) share a node port unless the client wants otherwise. */
async function initNodePorts(service: ServiceObject, ports: NodePortOperation): Promise<void> {
  const all: ServicePort[] = service.spec.ports ?? [];
  const byPort = new Map<number, number>();
  const wantedByPort = new Map<number, number>();
  for (const { port, nodePort } of all) if (nodePort && !wantedByPort.has(port)) wantedByPort.set(port, nodePort);
  for (const [index, port] of all.entries()) {
    if (!port.nodePort && !wantsNodePorts(service)) continue;
    const shared = byPort.get(port.port);
    if (shared === undefined) {
      const wanted = wantedByPort.get(port.port);
      if (wanted !== undefined) await allocatePort(service, index, wanted, ports);
      port.nodePort = wanted ?? (await allocateAnyPort(ports));
      byPort.set(port.port, port.nodePort);
    } else if (!port.nodePort) {
      port.nodePort = shared;
    } else if (port.nodePort !== shared) {
      await allocatePort(service, index, port.nodePort, ports);
    }
  }
}

async function updateNodePorts(service: ServiceObject, old: ServiceObject, ports: NodePortOperation): Promise<void> {
  const before = new Set(nodePortsOf(old));
  const taken = new Set<number>();
  const seen = new Set<string>();
  for (const [index, port] of (service.spec.ports ?? []).entries()) {
    if (!port.nodePort && !wantsNodePorts(service)) continue;
    if (!port.nodePort) {
      port.nodePort = await allocateAnyPort(ports);
    } else if (!before.has(port.nodePort) && !taken.has(port.nodePort)) {
      await allocatePort(service, index, port.nodePort, ports);
      taken.add(port.nodePort);
    }
    const pair = `{${port.protocol ?? ''} ${port.nodePort}}`;
    // Not a field error in upstream: it reaches the client as a failure of the server.
    if (seen.has(pair)) throw new Error(`duplicate nodePort: ${pair}`);
    seen.add(pair);
  }
  for (const port of before.difference(new Set(nodePortsOf(service)))) ports.release(port);
}

async function allocateHealthCheckPort({ spec }: ServiceObject, ports: NodePortOperation): Promise<void> {
  const wanted = spec.healthCheckNodePort ?? 0;
  try {
    if (wanted === 0) spec.healthCheckNodePort = await ports.allocateNext();
    else await ports.allocate(wanted);
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    const what = wanted === 0 ? 'a HealthCheck NodePort 0' : `requested HealthCheck NodePort ${wanted}`;
    throw internalError(`failed to allocate ${what}: ${error.message}`);
  }
}

// Upstream: k8s.io/kubernetes/pkg/controlplane/apiserver/server.go
// Upstream: k8s.io/component-helpers/apimachinery/lease/controller.go
// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/apiserverleasegc/gc_controller.go
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { hostPort } from '../../base/https/dial.ts';
import type { Logger } from '../../base/log.ts';
import { isReason } from '../../machinery/errors.ts';
import { microTimestamp } from '../../machinery/time.ts';
import type { Lease } from '../../schema/types/coordination-v1.ts';
import type { PreShutdownHook } from '../../server/api-server.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { FeatureGates } from '../../server/registry/features.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { Resource } from '../../server/registry/resource.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import type { PeerAddress } from './peer-endpoint.ts';
import { periodically } from './periodically.ts';
import { ensureNamespace } from './system-namespaces.ts';

export interface IdentityLeaseOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hostname: string;
  /** the name of the lease */
  readonly identity: string;
  /** feature UnknownVersionInteroperabilityProxy: the lease says where peers reach this server */
  readonly namesPeerAddress: boolean;
  /** where other API servers reach this one; undefined: nowhere */
  readonly peerAddress: Promise<PeerAddress | undefined>;
}

type LeaseObject = Lease & KubeObject;

const group = 'coordination.k8s.io';
const namespace = 'kube-system';
const component = 'kube-apiserver';
const identityLabel = 'apiserver.kubernetes.io/identity';
const peerAddress = 'kubernetes.io/peer-advertise-address';
const durationSeconds = 3600;
const renewMs = 10_000;
const collectMs = 3600_000;

/** Servers of one host are one to others, as upstream has it. */
export function identityOf(hostname: string): string {
  const hash = createHash('sha256');
  for (const text of [hostname, component]) {
    const bytes = Buffer.from(text);
    hash.update(Buffer.from([bytes.length >> 8, bytes.length & 0xff])).update(bytes);
  }
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

/** What metrics know a server by; '' where servers have no identity. */
export function serverIdOf({ features, identity }: { readonly features: FeatureGates; readonly identity: string }): string {
  return features.enabled('APIServerIdentity') ? identity : '';
}

/** RFC 4648, in small letters and without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The Lease by which a server says that it lives. */
export class IdentityLease {
  readonly #options: IdentityLeaseOptions;
  readonly #resource: Resource;
  readonly #name: string;
  readonly #holder: string;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: IdentityLeaseOptions) {
    this.#options = options;
    this.#resource = options.reader.resource(group, 'leases');
    this.#name = options.identity;
    this.#holder = `${this.#name}_${randomUUID()}`;
  }

  get startHook(): BootstrapHook {
    return {
      name: 'start-kube-apiserver-identity-lease-controller',
      begin: () => this.#begin(),
      run: async (signal) => this.#keep(signal),
    };
  }

  get stopHook(): PreShutdownHook {
    return { name: 'stop-kube-apiserver-identity-lease-controller', run: () => this.#stop() };
  }

  /** Takes away leases of servers that are no more. */
  get collectorHook(): BootstrapHook {
    const { clock, log } = this.#options;
    const failed = (error: unknown): void => log.error('identity Leases could not be collected', { err: error });
    const run = (): Promise<void> => this.#collect();
    return {
      name: 'start-kube-apiserver-identity-lease-garbage-collector',
      begin: () => run().catch(failed),
      run: async (signal) => periodically(run, { everyMs: collectMs, clock, signal, failed }),
    };
  }

  async #begin(): Promise<void> {
    // An earlier server of this host may have left one behind: others would take it for this one.
    await this.#delete();
    await this.#run().catch(this.#failed);
  }

  #keep(signal: AbortSignal): void {
    const until = AbortSignal.any([signal, this.#stopped.signal]);
    periodically(this.#run, { everyMs: renewMs, clock: this.#options.clock, signal: until, failed: this.#failed });
  }

  readonly #run = (): Promise<void> => (this.#running = this.#renew());

  readonly #failed = (error: unknown): void =>
    this.#options.log.error('the identity Lease could not be renewed', { lease: this.#name, err: error });

  async #renew(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const { writer, peerAddress: address } = this.#options;
    const peer = await address;
    const edit = (lease: LeaseObject): void => this.#edit(lease, peer && hostPort(peer));
    const entry = await this.#resource.store.getCurrent(namespace, this.#name);
    if (entry !== undefined) return void (await writer.update(this.#resource, namespace, this.#name, edit));
    const lease = { metadata: { name: this.#name, namespace }, spec: { holderIdentity: this.#holder } };
    edit(lease);
    await ensureNamespace(writer, namespace);
    await writer.ensure(group, 'leases', lease);
  }

  #edit(lease: LeaseObject, peer: string | undefined): void {
    const { clock, hostname, namesPeerAddress } = this.#options;
    const { metadata } = lease;
    metadata.labels = { ...metadata.labels, [identityLabel]: component, 'kubernetes.io/hostname': hostname };
    if (namesPeerAddress && peer !== undefined) metadata.annotations = { ...metadata.annotations, [peerAddress]: peer };
    lease.spec = { ...lease.spec, leaseDurationSeconds: durationSeconds, renewTime: microTimestamp(clock.now()) };
  }

  async #stop(): Promise<void> {
    this.#stopped.abort();
    // One that is under way would put back what is deleted here. Its failure has been logged.
    await this.#running?.catch(() => {});
    if (this.#running !== undefined) await this.#delete();
  }

  async #delete(): Promise<void> {
    const { writer, log } = this.#options;
    try {
      await writer.delete(this.#resource, namespace, this.#name);
    } catch (error) {
      if (!isReason(error, 'NotFound')) log.error('the identity Lease could not be deleted', { lease: this.#name, err: error });
    }
  }

  async #collect(): Promise<void> {
    const { clock, writer } = this.#options;
    const { store, keyPrefix } = this.#resource;
    // From the store itself: once an hour is no reason to keep all leases of the cluster in memory.
    const { items } = await store.storage.list(`${keyPrefix}${namespace}/`);
    for (const item of items) {
      const { metadata, spec } = store.parse(store.decode(item)) as LeaseObject;
      if (metadata.labels?.[identityLabel] !== component || !isExpired(spec, clock.now())) continue;
      await writer.delete(this.#resource, namespace, metadata.name ?? '').catch((error: unknown) => {
        // The same work is done by every server.
        if (!isReason(error, 'NotFound')) throw error;
      });
    }
  }
}

/** Leases of servers have both; one without belongs to no server. */
function isExpired(spec: Lease['spec'], now: number): boolean {
  const { renewTime, leaseDurationSeconds } = spec ?? {};
  if (renewTime === undefined || leaseDurationSeconds === undefined) return true;
  return Date.parse(renewTime) + leaseDurationSeconds * 1000 < now;
}

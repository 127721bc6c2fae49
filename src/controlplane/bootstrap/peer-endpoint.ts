// Upstream: k8s.io/apiserver/pkg/reconcilers/peer_endpoint_lease.go#PeerEndpointLeaseController
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { PostStartHook, PreShutdownHook } from '../../server/api-server.ts';
import { periodically } from './periodically.ts';
import type { ServerLeases } from './server-leases.ts';

export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

export interface PeerEndpointOptions {
  readonly leases: ServerLeases;
  readonly serverId: string;
  /** where other API servers reach this one; undefined: nowhere */
  readonly address: Promise<PeerAddress | undefined>;
  /** resolves when the server is ready: peers must not be sent to one that is not */
  readonly ready: Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

const name = 'peer-endpoint-reconciler-controller';
const renewMs = 10_000;

/** The lease by which other API servers of the store find this one. */
export class PeerEndpoint {
  readonly #options: PeerEndpointOptions;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: PeerEndpointOptions) {
    this.#options = options;
  }

  get startHook(): PostStartHook {
    const run = async (signal: AbortSignal): Promise<void> => {
      const { leases, serverId } = this.#options;
      await leases.addressOf(serverId);
      void this.#start(signal);
    };
    return { name, run };
  }

  get stopHook(): PreShutdownHook {
    return { name, run: () => this.#stop() };
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { ready, address, clock, log } = this.#options;
    const failed = (error: unknown): void => log.error('the peer endpoint lease could not be renewed', { err: error });
    await ready;
    const known = await address;
    const ended = AbortSignal.any([signal, this.#stopped.signal]);
    if (known === undefined || ended.aborted) return;
    const run = (): Promise<void> => (this.#running = this.#renew(known));
    await run().catch(failed);
    periodically(run, { everyMs: renewMs, clock, signal: ended, failed });
  }

  async #renew({ host, port }: PeerAddress): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const { leases, serverId } = this.#options;
    const subset = { addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] };
    await leases.renew(serverId, { labels: { apiserverIdentity: serverId }, subset });
  }

  async #stop(): Promise<void> {
    const { leases, serverId, log } = this.#options;
    this.#stopped.abort();
    if (this.#running === undefined) return;
    // One that is under way would put back what is deleted here. Its failure has been logged.
    await this.#running.catch(() => {});
    await leases.remove(serverId).catch((error: unknown) => log.error('the peer endpoint lease could not be removed', { err: error }));
  }
}

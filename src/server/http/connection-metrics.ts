import type { MetricsRegistry } from '../../base/metrics.ts';

/** silent: without a byte. handshake: of TLS. stranger: the client has not said who it is. */
export type ConnectionState = 'silent' | 'handshake' | 'stranger' | 'known';

/** Why connections are ended that are more than there may be; demand: the client asks too much at once. */
export type EndReason = Exclude<ConnectionState, 'known'> | 'demand';

export interface ConnectionCounts {
  readonly connections: Readonly<Record<ConnectionState, number>>;
  /** requests of HTTP/2 connections that wait for others of the same connection */
  readonly waitingRequests: number;
}

/** What is held for connections, and what is done at the bounds of it. */
export class ConnectionMetrics {
  readonly #registry: MetricsRegistry;
  readonly #families: ReturnType<typeof connectionFamilies>;

  constructor(registry: MetricsRegistry) {
    this.#registry = registry;
    this.#families = connectionFamilies(registry);
  }

  ended(reason: EndReason): void {
    this.#families.ended.with(reason).inc();
  }

  /** `counts` is called when metrics are read. */
  observe(counts: () => ConnectionCounts): void {
    const { open, waiting } = this.#families;
    this.#registry.onCollect(() => {
      const { connections, waitingRequests } = counts();
      for (const [state, count] of Object.entries(connections)) open.with(state).set(count);
      waiting.with().set(waitingRequests);
    });
  }
}

function connectionFamilies(registry: MetricsRegistry) {
  return {
    open: registry.gauge({
      name: 'wheelhouse_connections',
      help: 'Open connections: without a byte, in the TLS handshake, of clients that have not said who they are, and of known clients',
      labels: ['state'],
    }),
    ended: registry.counter({
      name: 'wheelhouse_connections_ended_total',
      help: 'Connections that were ended because there were too many in their state, or because too much was asked on them',
      labels: ['reason'],
    }),
    waiting: registry.gauge({
      name: 'wheelhouse_connection_waiting_requests',
      help: 'Requests that wait for others of the same HTTP/2 connection',
    }),
  };
}

// Upstream: k8s.io/kube-aggregator/pkg/controllers/status/remote#BuildTransportConfig, k8s.io/client-go/transport
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Dial } from '../base/https/dial.ts';
import type { ClientCertificate, OutgoingRequest, Upgraded } from '../base/https/streaming-client.ts';
import { StreamingClient } from '../base/https/streaming-client.ts';
import type { ServiceAddress, ServiceResolver } from '../server/webhook/service-resolver.ts';
import type { RemoteService } from './remote-service.ts';

export interface TransportOptions {
  readonly resolve: ServiceResolver;
  /** this server's client certificate for those behind it, PEM; undefined: none */
  readonly client?: ClientCertificate | undefined;
  /** how they are reached, when not directly */
  readonly dial?: Dial | undefined;
  readonly clock: Clock;
}

/** The service cannot be resolved to an address. */
export class UnresolvedError extends Error {
  override readonly name = 'UnresolvedError';
}

/** Requests to the servers behind APIServices. */
export class ServiceTransport implements Disposable {
  readonly #options: TransportOptions;
  readonly #client: StreamingClient;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#client = new StreamingClient(options.clock, { dial: options.dial });
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Throws UnresolvedError. */
  async addressOf({ namespace, name, port }: RemoteService): Promise<ServiceAddress> {
    try {
      return await this.#options.resolve(namespace, name, port);
    } catch (error) {
      throw new UnresolvedError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** The response, whose body is still to come; throws UnreachableError or UnresolvedError. */
  async send(service: RemoteService, request: OutgoingRequest): Promise<IncomingMessage> {
    const answer = await this.exchange(service, request);
    return 'response' in answer ? answer.response : answer;
  }

  /** As `send`, for requests that may end in another protocol. */
  async exchange(service: RemoteService, request: OutgoingRequest): Promise<IncomingMessage | Upgraded> {
    const { host, port } = await this.addressOf(service);
    const { authorities, insecure, name, namespace } = service;
    const serverName = `${name}.${namespace}.svc`;
    return this.#client.exchange({ scheme: 'https', host, port, serverName, authorities, insecure, client: this.#options.client }, request);
  }
}

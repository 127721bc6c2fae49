// Upstream: k8s.io/kube-aggregator/pkg/controllers/status/remote#BuildTransportConfig, k8s.io/client-go/transport
import type { Clock } from '../base/clock.ts';
import type { Dial } from '../base/https/dial.ts';
import type { ClientCertificate, IncomingResponse, OutgoingRequest, Upgraded } from '../base/https/streaming-client.ts';
import { StreamingClient } from '../base/https/streaming-client.ts';
import type { ServiceAddress, ServiceResolver } from '../server/webhook/service-resolver.ts';
import type { Backend } from './backend.ts';
import { UnresolvedError } from './backend.ts';
import type { RemoteService } from './remote-service.ts';

export interface TransportOptions {
  readonly resolve: ServiceResolver;
  /** this server's client certificate for those behind it, PEM; undefined: none */
  readonly client?: ClientCertificate | undefined;
  /** how they are reached, when not directly */
  readonly dial?: Dial | undefined;
  readonly clock: Clock;
}

/** Requests to the servers behind APIServices. */
export class ServiceTransport implements Disposable {
  readonly #options: TransportOptions;
  readonly #client: StreamingClient;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#client = new StreamingClient(options.clock, { dial: options.dial, http2: true });
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

  /** Where requests for a service go. Throws UnresolvedError. */
  async locate(service: RemoteService): Promise<Backend> {
    const address = await this.addressOf(service);
    return { address, exchange: (request) => this.#exchange(service, address, request) };
  }

  /** The response, whose body is still to come; throws UnreachableError or UnresolvedError. */
  async send(service: RemoteService, request: OutgoingRequest): Promise<IncomingResponse> {
    const answer = await (await this.locate(service)).exchange(request);
    return 'response' in answer ? answer.response : answer;
  }

  #exchange(service: RemoteService, { host, port }: ServiceAddress, request: OutgoingRequest): Promise<IncomingResponse | Upgraded> {
    const { authorities, insecure, name, namespace } = service;
    const serverName = `${name}.${namespace}.svc`;
    return this.#client.exchange({ scheme: 'https', host, port, serverName, authorities, insecure, client: this.#options.client }, request);
  }
}

// Upstream: kube-aggregator/pkg/controllers/status/remote (BuildTransportConfig), client-go/transport
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { request as startRequest } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { describeFailure } from '../base/https/https-client.ts';
import { VerifyingAgent } from '../base/https/verifying-agent.ts';
import type { ServiceAddress } from '../server/webhook/service-resolver.ts';
import type { RemoteService } from './remote-service.ts';

/** Where a service is reached at this moment; throws when it is nowhere. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Promise<ServiceAddress>;

export interface TransportOptions {
  readonly resolve: ServiceResolver;
  /** what this server is to those behind it, PEM; undefined: nobody */
  readonly client?: ClientCertificate | undefined;
  readonly clock: Clock;
}

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface OutgoingRequest {
  readonly method: string;
  /** path and query */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Readable | undefined;
  readonly signal: AbortSignal;
}

/** The connection as it is after the server has agreed to speak another protocol on it. */
export interface Upgraded {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  /** what came right behind the answer */
  readonly head: Buffer;
}

/** The server did not answer; the message says why in the original's words. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Nobody knows where the service is. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved';
}

/** Requests to the servers behind APIServices, over HTTP/1.1 and connections that are kept. */
export class ServiceTransport implements Disposable {
  readonly #options: TransportOptions;
  readonly #agent: VerifyingAgent;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#agent = new VerifyingAgent(options.clock);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Throws Unresolved. */
  async addressOf({ namespace, name, port }: RemoteService): Promise<ServiceAddress> {
    try {
      return await this.#options.resolve(namespace, name, port);
    } catch (error) {
      throw new Unresolved(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** The answer, whose body is still to come; throws Unreachable or Unresolved. */
  async send(service: RemoteService, request: OutgoingRequest): Promise<IncomingMessage> {
    const answer = await this.exchange(service, request);
    return 'response' in answer ? answer.response : answer;
  }

  /** As `send`, for requests that may end in another protocol. */
  async exchange(service: RemoteService, request: OutgoingRequest): Promise<IncomingMessage | Upgraded> {
    const address = await this.addressOf(service);
    for (;;) {
      try {
        return await this.#attempt(service, address, request);
      } catch (error) {
        // The server closed a kept connection just when we wanted it, and nothing of ours got lost.
        if (error instanceof ConnectionLost && request.body === undefined && !request.signal.aborted) continue;
        const cause = error instanceof ConnectionLost ? error.cause : error;
        throw new Unreachable(describeFailure(cause as Error, request.signal, false), { cause });
      }
    }
  }

  #attempt(service: RemoteService, address: ServiceAddress, request: OutgoingRequest): Promise<IncomingMessage | Upgraded> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | Upgraded>();
    const { client } = this.#options;
    const options: RequestOptions = {
      agent: this.#agent,
      method: request.method,
      path: request.target,
      headers: { ...request.headers, host: hostPort(address) },
      host: address.host,
      port: address.port,
      servername: `${service.name}.${service.namespace}.svc`,
      rejectUnauthorized: !service.insecure,
      signal: request.signal,
      ...(service.authorities !== undefined && { ca: service.authorities }),
      ...(client !== undefined && { cert: client.certificate, key: client.key }),
    };
    const outgoing = startRequest(options, resolve);
    outgoing.on('upgrade', (response, socket, head) => resolve({ response, socket, head }));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      reject(outgoing.reusedSocket && error.code === 'ECONNRESET' ? new ConnectionLost(error.message, { cause: error }) : error);
    });
    if (request.body === undefined) outgoing.end();
    else request.body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing);
    return promise;
  }
}

class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export function hostPort({ host, port }: ServiceAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

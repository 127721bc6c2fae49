import type { IncomingResponse, OutgoingRequest, Upgraded } from '../base/https/streaming-client.ts';
import type { ServiceAddress } from '../server/webhook/service-resolver.ts';

/** A server that requests are passed on to. */
export interface Backend {
  readonly address: ServiceAddress;
  /** Throws UnreachableError. */
  exchange(request: OutgoingRequest): Promise<IncomingResponse | Upgraded>;
}

/** It cannot be found out where the server is. */
export class UnresolvedError extends Error {
  override readonly name = 'UnresolvedError';
}

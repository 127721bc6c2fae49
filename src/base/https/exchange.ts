import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A server, and what makes us believe that it is the one. */
export interface Peer {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** name that its certificate must be for, when that is not its host */
  readonly serverName?: string;
  /** PEM of the authorities that its certificate may be from; undefined: those that the system trusts */
  readonly authorities?: string | undefined;
  /** any certificate will do */
  readonly insecure: boolean;
  /** our client certificate for it, PEM; undefined: none */
  readonly client?: ClientCertificate | undefined;
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

/** A response whose body is still to come, over any version of HTTP. */
export interface IncomingResponse extends Readable {
  readonly statusCode?: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly headersDistinct: NodeJS.Dict<string[]>;
}

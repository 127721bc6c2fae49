import type { IncomingHttpHeaders } from 'node:http';
import { readBounded } from '../base/https/bounded-body.ts';
import type { UserInfo } from '../server/request/user.ts';
import { userHeaders } from './proxy-headers.ts';
import type { RemoteService } from './remote-service.ts';
import type { ServiceTransport } from './service-transport.ts';

export interface Reading {
  readonly target: string;
  readonly user: UserInfo;
  readonly accept?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ReadAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Reads a whole document from the server behind a service, as a user of this server's own. */
export async function read(transport: ServiceTransport, service: RemoteService, reading: Reading): Promise<ReadAnswer> {
  const { target, user, accept, timeoutMs, signal } = reading;
  const incoming = await transport.send(service, {
    method: 'GET',
    target,
    headers: { ...userHeaders(user), ...(accept !== undefined && { accept }) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await readBounded(incoming) };
}

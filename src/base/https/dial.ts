import type { Duplex } from 'node:stream';

export interface DialAddress {
  readonly host: string;
  readonly port: number;
}

/** Makes a connection to an address by some other way than directly; rejects with why there is none. */
export type Dial = (address: DialAddress, signal?: AbortSignal) => Promise<Duplex>;

export function hostPort({ host, port }: DialAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

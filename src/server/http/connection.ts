import type { TLSSocket } from 'node:tls';
import type { X509Certificate } from 'node:crypto';

/** What requests of one connection share. The peer's certificate is read once. */
export class Connection {
  readonly #socket: TLSSocket | undefined;
  readonly remoteAddress: string;
  /** what authenticators worked out for this connection; keyed by the authenticator */
  readonly memo = new Map<unknown, unknown>();
  /** no further requests are wanted on it */
  retiring = false;
  #peer: X509Certificate | null | undefined;

  constructor(socket: TLSSocket | undefined) {
    this.#socket = socket;
    this.remoteAddress = socket?.remoteAddress ?? '127.0.0.1';
  }

  /** The certificate the client presented (not yet verified), if any. */
  get peerCertificate(): X509Certificate | undefined {
    if (this.#peer === undefined) this.#peer = this.#socket?.getPeerX509Certificate() ?? null;
    return this.#peer ?? undefined;
  }

  /** Certificates the client sent after its own, nearest first. */
  get intermediates(): readonly X509Certificate[] {
    const chain: X509Certificate[] = [];
    for (
      let next = this.peerCertificate?.issuerCertificate;
      next && !chain.includes(next) && chain.length < 8;
      next = next.issuerCertificate
    ) {
      chain.push(next);
    }
    return chain;
  }
}

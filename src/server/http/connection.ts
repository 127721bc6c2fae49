import type { TLSSocket } from 'node:tls';
import type { X509Certificate } from 'node:crypto';

/** What requests of one connection share. The peer's certificate is read once. */
export class Connection {
  readonly #socket: TLSSocket | undefined;
  readonly remoteAddress: string;
  /** what authenticators worked out for this connection; keyed by the authenticator */
  readonly memo = new Map<unknown, unknown>();
  #known = false;
  #onKnown: (() => void) | undefined;
  /** no further requests are wanted on it */
  retiring = false;
  #peer: X509Certificate | null | undefined;

  constructor(socket: TLSSocket | undefined) {
    this.#socket = socket;
    this.remoteAddress = socket?.remoteAddress ?? '127.0.0.1';
  }

  get remotePort(): number | undefined {
    return this.#socket?.remotePort;
  }

  /** address and port of the client */
  get remotePeer(): string {
    const { remotePort } = this;
    const host = this.remoteAddress.includes(':') ? `[${this.remoteAddress}]` : this.remoteAddress;
    return remotePort === undefined ? host : `${host}:${remotePort}`;
  }

  /** The client has said who it is, and was believed. */
  get known(): boolean {
    return this.#known;
  }

  set known(known: boolean) {
    if (known === this.#known) return;
    this.#known = known;
    if (known) this.#onKnown?.();
  }

  /** `callback` is called once, when the client is known. */
  whenKnown(callback: () => void): void {
    this.#onKnown = callback;
  }

  /** The certificate the client presented (not yet verified), if any. */
  get peerCertificate(): X509Certificate | undefined {
    if (this.#peer === undefined) this.#peer = this.#socket?.getPeerX509Certificate() ?? null;
    return this.#peer ?? undefined;
  }

  /** Certificates the client sent after its own, as it sent them; TLS limits how much that can be. */
  get intermediates(): readonly X509Certificate[] {
    const sent = new Set<X509Certificate>();
    for (let next = this.peerCertificate?.issuerCertificate; next && !sent.has(next); next = next.issuerCertificate) sent.add(next);
    return [...sent];
  }
}

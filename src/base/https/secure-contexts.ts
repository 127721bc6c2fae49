import type { SecureContext } from 'node:tls';
import { createSecureContext, getCACertificates } from 'node:tls';

/** What is trusted, and who we are. */
export interface Trust {
  /** PEM of the authorities that the certificate may be from; undefined: those that the system trusts */
  readonly authorities: string | undefined;
  /** any certificate will do */
  readonly insecure: boolean;
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
}

/** Sets of authorities and client certificates that a server uses at a time are few; more come only by replacing them. */
const mostKept = 64;

/** Contexts for TLS, made once: the authorities of a system are more than a hundred, and reading them takes up to 100 ms. */
export class SecureContexts {
  readonly #kept = new Map<string, SecureContext>();

  of(trust: Trust): SecureContext {
    const { authorities, insecure, client } = trust;
    const key = JSON.stringify([insecure || authorities, client?.certificate, client?.key]);
    let context = this.#kept.get(key);
    if (context === undefined) {
      if (this.#kept.size === mostKept) this.#kept.clear();
      context = createSecureContext({
        // Without any, node has its own at hand: nothing is read.
        ...(!insecure && { ca: authorities ?? getCACertificates('system') }),
        // As in Go, whatever is among the authorities is trusted as it is: an intermediate, or the serving certificate itself.
        allowPartialTrustChain: true,
        ...(client !== undefined && { cert: client.certificate, key: client.key }),
      });
      this.#kept.set(key, context);
    }
    return context;
  }
}

// Upstream: std/crypto/x509/cert_pool.go
import type { Certificate } from './certificate.ts';

/** Certificates by whose they are. Each is in it once. */
export class CertificatePool {
  readonly #bySubject = new Map<string, Certificate[]>();
  readonly #known = new Set<string>();
  readonly all: readonly Certificate[];

  constructor(certificates: Iterable<Certificate>) {
    const all: Certificate[] = [];
    for (const certificate of certificates) {
      const bytes = certificate.raw.toString('latin1');
      if (this.#known.has(bytes)) continue;
      this.#known.add(bytes);
      all.push(certificate);
      const subject = certificate.subjectBytes.toString('latin1');
      const namesakes = this.#bySubject.get(subject);
      if (namesakes === undefined) this.#bySubject.set(subject, [certificate]);
      else namesakes.push(certificate);
    }
    this.all = all;
  }

  has({ raw }: Certificate): boolean {
    return this.#known.has(raw.toString('latin1'));
  }

  /** Who may have signed the certificate, by name; the likeliest by key first. */
  issuersOf({ issuerBytes, authorityKeyId }: Certificate): readonly Certificate[] {
    const namesakes = this.#bySubject.get(issuerBytes.toString('latin1')) ?? [];
    if (namesakes.length < 2) return namesakes;
    return [0, 1, 2].flatMap((rank) => namesakes.filter(({ subjectKeyId }) => likelihood(subjectKeyId, authorityKeyId) === rank));
  }
}

/** Missing and empty are the same. */
function likelihood(subjectKeyId: Buffer = Buffer.alloc(0), authorityKeyId: Buffer = Buffer.alloc(0)): 0 | 1 | 2 {
  if (subjectKeyId.equals(authorityKeyId)) return 0;
  return subjectKeyId.length === 0 || authorityKeyId.length === 0 ? 1 : 2;
}

import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isIpAddress } from '../base/ip-address.ts';
import { makeDirectorySync } from '../base/make-directory.ts';
import type { CertificateRequest, KeyPair } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { renderKubeconfig } from '../controlplane/kubeconfig.ts';

/** Where things are in the data folder of the dev command. */
export interface DevFiles {
  readonly store: string;
  readonly authority: string;
  readonly authorityKey: string;
  readonly serving: { readonly certificate: string; readonly key: string };
  readonly tokenKeys: { readonly public: string; readonly private: string };
  readonly kubeconfig: string;
  /** names of files that were made now; empty when everything was there */
  readonly made: readonly string[];
  /** Writes the admin's kubeconfig; for a server that listens, since another one may be using the folder. */
  writeKubeconfig(server: string): void;
}

const day = 24 * 3600 * 1000;
/** a certificate that ends sooner than this is made anew */
const renewBefore = 30 * day;

/** Makes what is missing: an authority, a serving and a client certificate, keys for service account tokens. */
export function prepareDevFiles(directory: string, addresses: readonly string[], now = Date.now()): DevFiles {
  const folder = join(directory, 'pki');
  makeDirectorySync(folder);
  const pki = new PkiFolder(folder, now);
  const authority = pki.authority();
  const names = new Set([
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'localhost',
    hostname(),
    ...addresses,
  ]);
  pki.pair('apiserver', authority, { subject: { commonName: 'kube-apiserver' }, uses: ['server'], names: [...names] });
  const admin = pki.pair('admin', authority, {
    subject: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
    uses: ['client'],
  });
  pki.tokenKeys();
  const kubeconfig = join(directory, 'admin.kubeconfig');
  return {
    kubeconfig,
    store: join(directory, 'store'),
    authority: pki.path('ca.crt'),
    authorityKey: pki.path('ca.key'),
    serving: { certificate: pki.path('apiserver.crt'), key: pki.path('apiserver.key') },
    tokenKeys: { public: pki.path('sa.pub'), private: pki.path('sa.key') },
    made: pki.made,
    writeKubeconfig(server) {
      writeFileSync(`${kubeconfig}.new`, renderKubeconfig(server, authority.certificate, admin), { mode: 0o600 });
      renameSync(`${kubeconfig}.new`, kubeconfig);
    },
  };
}

class PkiFolder {
  readonly made: string[] = [];
  readonly #folder: string;
  readonly #now: number;

  constructor(folder: string, now: number) {
    this.#folder = folder;
    this.#now = now;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  authority(): KeyPair {
    return this.#existing('ca') ?? this.#save('ca', createAuthority({ commonName: 'wheelhouse-dev-ca' }, this.#validity(3650)));
  }

  pair(name: string, authority: KeyPair, request: Omit<CertificateRequest, 'validity'>): KeyPair {
    const existing = this.#existing(name);
    if (existing !== undefined && covers(existing, authority, request)) return existing;
    return this.#save(name, issueCertificate(authority, { ...request, validity: this.#validity(365) }));
  }

  /** The authority's way of making keys serves here too; its certificate is not used. */
  tokenKeys(): void {
    if (existsSync(this.path('sa.key')) && existsSync(this.path('sa.pub'))) return;
    const { key } = createAuthority({ commonName: 'service-accounts' }, this.#validity(1));
    this.#write(this.path('sa.key'), key);
    this.#write(this.path('sa.pub'), createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' }) as string);
  }

  #write(path: string, text: string): void {
    writeFileSync(path, text, { mode: 0o600 });
    this.made.push(path);
  }

  #existing(name: string): KeyPair | undefined {
    const [certificate, key] = [this.path(`${name}.crt`), this.path(`${name}.key`)];
    if (!existsSync(certificate) || !existsSync(key)) return undefined;
    const pair = { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
    const ends = new X509Certificate(pair.certificate).validToDate.getTime();
    return ends - this.#now < renewBefore ? undefined : pair;
  }

  #save(name: string, pair: KeyPair): KeyPair {
    this.#write(this.path(`${name}.crt`), pair.certificate);
    this.#write(this.path(`${name}.key`), pair.key);
    return pair;
  }

  #validity(days: number): { from: Date; to: Date } {
    return { from: new Date(this.#now - day), to: new Date(this.#now + days * day) };
  }
}

/** Made by this authority, and good for every name that is asked for now: an address may have been added since. */
function covers(pair: KeyPair, authority: KeyPair, { names = [] }: Pick<CertificateRequest, 'names'>): boolean {
  const certificate = new X509Certificate(pair.certificate);
  if (!certificate.verify(new X509Certificate(authority.certificate).publicKey)) return false;
  return names.every((name) => (isIpAddress(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined);
}

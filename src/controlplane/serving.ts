// Upstream: k8s.io/apiserver/pkg/server/options/{serving,serving_with_loopback}.go
// Upstream: k8s.io/apiserver/pkg/server/dynamiccertificates/{tlsconfig,named_certificates}.go
import { X509Certificate } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureContext, TlsOptions } from 'node:tls';
import { createSecureContext } from 'node:tls';
import type { FollowedTexts } from '../base/followed-text.ts';
import { isIpAddress } from '../base/ip-address.ts';
import { goQuote } from '../machinery/go-format.ts';
import { makeDirectorySync } from '../base/make-directory.ts';
import type { TextSource } from '../base/text-source.ts';
import { readText } from '../base/text-source.ts';
import type { KeyPair } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { cipherSuites, curveNames, minimumVersions } from '../base/tls/tls-names.ts';
import type { CertificateSigner } from '../controllers/certificate-signing-request-signing/controller.ts';
import { checkDns1123Subdomain } from '../machinery/names.ts';
import type { ServingOptions } from '../server/api-server.ts';
import { isInsecure, offeredSuites } from '../server/http/cipher-suites.ts';
import type { PeerAddress } from './bootstrap/peer-endpoint.ts';
import type { ServerContext } from './server-context.ts';

/** A certificate, followed by its intermediates, and its private key. Files are followed: what they hold is for new connections. */
export interface KeyPairSource {
  readonly certificate: TextSource;
  readonly key: TextSource;
}

/** Read when the server starts: what is wrong with files is found then. */
export function readSigner({ authority, durationMs }: CertificateSigningConfig): CertificateSigner | undefined {
  return authority && { authority: { certificate: readText(authority.certificate), key: readText(authority.key) }, durationMs };
}

export interface CertificateSigningConfig {
  /** of the certificates that an embedded controller signs; undefined: none are signed */
  readonly authority: KeyPairSource | undefined;
  /** how long they are valid, unless less is asked for */
  readonly durationMs: number;
}

export interface NamedKeyPair extends KeyPairSource {
  /** host names that it is for, `*.` for any first label; none: those in the certificate */
  readonly names: readonly string[];
}

export interface ServingConfig extends Omit<ServingOptions, 'tls' | 'tlsIsProven'> {
  /** a pair, or the folder of apiserver.crt and apiserver.key, in which one is made if there is none */
  readonly certificate: KeyPairSource | { readonly directory: string };
  /** further pairs, for clients that ask for other names */
  readonly namedCertificates: readonly NamedKeyPair[];
  /** VersionTLS12 or VersionTLS13; '': what there is by default */
  readonly minVersion: string;
  /** by their IANA names; none: those by default */
  readonly cipherSuites: readonly string[];
  /** groups of the key exchange, by their numbers in TLS; none: those by default */
  readonly curves: readonly number[];
  /** that pass each way of exec, attach, port-forward and proxied upgrades; 0: as many as there are */
  readonly streamBytesPerSecond: number;
  /** how long /livez does not mind that hooks of the start have not finished */
  readonly livezGraceMs: number;
  /** watches without a timeout of their own last this long, up to twice as long */
  readonly minRequestTimeoutSeconds: number;
  /** where the cluster reaches this server; undefined: it does not, and the kubernetes service has no endpoints */
  readonly advertiseAddress: string | undefined;
  /** where other API servers reach this one; undefined: where the cluster does */
  readonly peerAddress: PeerAddress | undefined;
  /** host name for URLs that are handed out; '': the advertised address */
  readonly externalHostname: string;
}

export const servingDefaults: ServingConfig = Object.freeze({
  address: '127.0.0.1',
  port: 0,
  sharesPort: false,
  certificate: { directory: '/var/run/kubernetes' },
  namedCertificates: [],
  minVersion: '',
  cipherSuites: [],
  curves: [],
  streamBytesPerSecond: 0,
  maxStreams: 0,
  http1Only: false,
  requestTimeoutMs: 60_000,
  minRequestTimeoutSeconds: 1800,
  shutdownDelayMs: 0,
  shutdownWatchGraceMs: 0,
  strictTransportSecurity: [],
  corsAllowedOrigins: [],
  goawayChance: 0,
  shutdownSendRetryAfter: false,
  livezGraceMs: 0,
  advertiseAddress: undefined,
  peerAddress: undefined,
  externalHostname: '',
});

/** TLS of the listener. Clients of later connections get what the files hold then. */
export interface ServingTls {
  readonly options: TlsOptions;
  /** Calls back with what new connections are to have, whenever a file has changed. */
  follow(apply: (options: TlsOptions) => void): void;
}

/** `clientAuthorities`: those whom clients' certificates may be from. `names`: of a certificate that has to be made. */
export function openTls(
  config: ServingConfig,
  clientAuthorities: readonly TextSource[],
  names: readonly string[],
  texts: FollowedTexts,
  { log, isProven }: Pick<ServerContext, 'log'> & { readonly isProven: boolean },
): ServingTls {
  const pair = 'directory' in config.certificate ? pairIn(config.certificate.directory, names, log) : config.certificate;
  const suites = config.cipherSuites.map((name) => cipherSuites[name] as string);
  for (const name of config.cipherSuites) if (isInsecure(cipherSuites[name])) log.warn(`Use of insecure cipher '${name}' detected.`);
  const minVersion = minimumVersions[config.minVersion];
  let apply: ((options: TlsOptions) => void) | undefined;
  let named: ReadonlyMap<string, SecureContext> = new Map();
  const changed = (): void => {
    // A certificate and its key are two files: until both are there they do not fit, and what was before stays.
    const options = read();
    createSecureContext(options);
    apply?.(options);
    log.info('Loaded serving certificate and client authorities anew');
  };
  const read = (): TlsOptions => {
    const text = (source: TextSource): string => texts.read(source, changed);
    const common = {
      ...(clientAuthorities.length > 0 && { ca: clientAuthorities.map(text) }),
      ...(minVersion !== undefined && { minVersion }),
      ciphers: offeredSuites(suites.length > 0 ? suites : undefined),
      ...(config.curves.length > 0 && { ecdhCurve: offeredCurves(config.curves) }),
    };
    const contexts = config.namedCertificates.flatMap((one) => {
      const { cert, key } = requireContent('sni-serving-cert', one, text);
      const context = createSecureContext({ ...common, cert, key });
      const isExplicit = one.names.length > 0;
      return (isExplicit ? one.names : namesIn(cert)).map((name) => ({ isExplicit, entry: [name.toLowerCase(), context] as const }));
    });
    // Of several for one name the first counts, and a name that was given before one that is in a certificate.
    const byPrecedence = contexts.toReversed().toSorted((a, b) => Number(a.isExplicit) - Number(b.isExplicit));
    named = new Map(byPrecedence.map(({ entry }) => entry));
    return { ...common, ...requireContent('serving-cert', pair, text) };
  };
  const first = read();
  // What is wrong with the pair is found now, not when the listener is opened. A copy has what its origin has.
  if (!isProven) createSecureContext(first);
  return {
    options: {
      ...first,
      // Certificates are asked for and not demanded; a bad one is refused by the authenticator, with a Status.
      requestCert: true,
      rejectUnauthorized: false,
      ...(config.namedCertificates.length > 0 && {
        SNICallback: (host: string, done: (error: Error | null, context?: SecureContext) => void) => done(null, contextFor(named, host)),
      }),
    },
    follow(callback) {
      apply = callback;
    },
  };
}

/** OpenSSL takes an empty certificate for none, and would serve without. Throws in the words of upstream. */
function requireContent(name: string, pair: KeyPairSource, text: (source: TextSource) => string): { cert: string; key: string } {
  const [cert, key] = [text(pair.certificate), text(pair.key)];
  if (cert !== '' && key !== '') return { cert, key };
  const files = [pair.certificate, pair.key].flatMap((source) => (typeof source === 'string' ? [] : [source.file]));
  throw new Error(`missing content for serving cert ${goQuote([name, ...files].join('::'))}`);
}

/** Throws where this build of OpenSSL, which is older than Go's, lacks one of them. */
function offeredCurves(numbers: readonly number[]): string {
  for (const ecdhCurve of curveNames(numbers)) {
    try {
      createSecureContext({ ecdhCurve });
    } catch (cause) {
      throw new Error(`--tls-curve-preferences: OpenSSL ${process.versions.openssl} of this Node does not have ${ecdhCurve}`, { cause });
    }
  }
  return curveNames(numbers).join(':');
}

function contextFor(named: ReadonlyMap<string, SecureContext>, host: string): SecureContext | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return named.get(name) ?? named.get(name.replace(/^[^.]+/, '*'));
}

/** Names that a certificate is for. Addresses are not among them: no client asks for one by name. */
function namesIn(pem: string): string[] {
  const { subjectAltName = '', subject } = new X509Certificate(pem);
  const [, common = ''] = /^CN=(.+)$/m.exec(subject) ?? [];
  const isHost = !isIpAddress(common) && (common === '*' || checkDns1123Subdomain(common.replace(/^\*\./, '')).length === 0);
  return [...(isHost ? [common] : []), ...subjectAltName.split(', ').flatMap((entry) => /^DNS:(.+)$/.exec(entry)?.[1] ?? [])];
}

function pairIn(directory: string, names: readonly string[], log: ServerContext['log']): KeyPairSource {
  const [certificate, key] = [{ file: join(directory, 'apiserver.crt') }, { file: join(directory, 'apiserver.key') }];
  if (existsSync(certificate.file) && existsSync(key.file)) return { certificate, key };
  const pair = selfSigned(names);
  try {
    makeDirectorySync(directory, 0o755);
    writeFileSync(certificate.file, pair.certificate, { mode: 0o644 });
    writeFileSync(key.file, pair.key, { mode: 0o600 });
  } catch (error) {
    throw new Error(`error creating self-signed certificates: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  log.info(`Generated self-signed cert (${certificate.file}, ${key.file})`);
  return { certificate, key };
}

const yearMs = 365 * 24 * 3600 * 1000;

/** The first name is the server's own; the names of the kubernetes service are added. */
function selfSigned(names: readonly string[]): KeyPair {
  const now = Date.now();
  const validity = { from: new Date(now - 3600 * 1000), to: new Date(now + yearMs) };
  const seconds = Math.floor(now / 1000);
  const authority = createAuthority({ commonName: `${names[0]}-ca@${seconds}` }, validity);
  const pair = issueCertificate(authority, {
    subject: { commonName: `${names[0]}@${seconds}` },
    uses: ['server'],
    names: ['kubernetes.default.svc', 'kubernetes.default', 'kubernetes', 'localhost', ...new Set(names)],
    validity,
  });
  return { certificate: pair.certificate + authority.certificate, key: pair.key };
}

/** In upstream's words; any other error as it is. */
export function listenError(error: unknown, { address, port }: Pick<ServingConfig, 'address' | 'port'>): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  const place = hostPort(address, port);
  const message = `failed to create listener: failed to listen on ${place}: listen tcp ${place}: bind: address already in use`;
  return Object.assign(new Error(message, { cause: error }), { code: 'EADDRINUSE' });
}

export function hostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

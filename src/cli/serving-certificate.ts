// Upstream: apiserver/pkg/server/options/serving.go (MaybeDefaultWithSelfSignedCerts)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import type { Logger } from '../base/log.ts';
import type { KeyPair } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import type { CompletedOptions } from './complete-options.ts';
import { cipherSuites, minimumVersions } from '../base/tls/tls-names.ts';

/** What the listener needs for TLS, from files, or from a pair that is made in --cert-dir and used again at the next start. */
export function servingTls(options: CompletedOptions, log: Logger): TlsOptions {
  const { flags } = options;
  const pair = servingPair(options, log);
  const suites = flags['tls-cipher-suites'].map((name) => cipherSuites[name] as string);
  const minVersion = minimumVersions[flags['tls-min-version']];
  const authorities = [flags['client-ca-file'], flags['requestheader-client-ca-file']].filter((file) => file !== '');
  return {
    cert: pair.certificate,
    key: pair.key,
    // Certificates are asked for and not demanded; who presents a bad one is told by the authenticator, with a status.
    requestCert: true,
    rejectUnauthorized: false,
    ...(authorities.length > 0 && { ca: authorities.map((file) => readPem(file)) }),
    ...(minVersion !== undefined && { minVersion }),
    ...(suites.length > 0 && { ciphers: suites.join(':') }),
  };
}

function servingPair(options: CompletedOptions, log: Logger): KeyPair {
  const { flags } = options;
  const [certificateFile, keyFile] = [flags['tls-cert-file'], flags['tls-private-key-file']];
  if (certificateFile !== '' || keyFile !== '') return { certificate: readPem(certificateFile), key: readPem(keyFile) };
  const files = { certificate: join(flags['cert-dir'], 'apiserver.crt'), key: join(flags['cert-dir'], 'apiserver.key') };
  if (existsSync(files.certificate) && existsSync(files.key)) return { certificate: readPem(files.certificate), key: readPem(files.key) };
  const pair = selfSigned(options);
  try {
    mkdirSync(flags['cert-dir'], { recursive: true });
    writeFileSync(files.certificate, pair.certificate, { mode: 0o644 });
    writeFileSync(files.key, pair.key, { mode: 0o600 });
  } catch (error) {
    throw new Error(`error creating self-signed certificates: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  log.info(`Generated self-signed cert (${files.certificate}, ${files.key})`);
  return pair;
}

const year = 365 * 24 * 3600 * 1000;

/** The names are the original's: the service's DNS names, localhost, the advertised address and the service's address. */
function selfSigned({ advertiseAddress, serviceAddress }: CompletedOptions): KeyPair {
  const now = Date.now();
  const validity = { from: new Date(now - 3600 * 1000), to: new Date(now + year) };
  const seconds = Math.floor(now / 1000);
  const authority = createAuthority({ commonName: `${advertiseAddress}-ca@${seconds}` }, validity);
  const pair = issueCertificate(authority, {
    subject: { commonName: `${advertiseAddress}@${seconds}` },
    uses: ['server'],
    names: ['kubernetes.default.svc', 'kubernetes.default', 'kubernetes', 'localhost', ...new Set([advertiseAddress, serviceAddress])],
    validity,
  });
  return { certificate: pair.certificate + authority.certificate, key: pair.key };
}

/** Reads a file that a flag names. */
export function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`open ${file}: no such file or directory`, { cause: error });
    throw error;
  }
}

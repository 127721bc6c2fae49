import type { GivenConfig } from '../../controlplane/config.ts';
import type { FlagValues } from './flag.ts';
import { flagGroup } from './flag.ts';
import { bool, int, int32Slice, ip, namedCertificates, string, strings } from './flag-kinds.ts';

export const secureServingFlags = flagGroup('Secure serving', {
  'bind-address': ip('0.0.0.0', 'address to listen on'),
  'cert-dir': string(
    '/var/run/kubernetes',
    'folder of apiserver.crt and apiserver.key, made there if missing; unused with --tls-cert-file',
  ),
  'disable-http2-serving': bool(false, 'HTTP/1.1 only'),
  'http2-max-streams-per-connection': int(0, 'streams that one HTTP/2 connection may have open; 0 for the default'),
  'permit-address-sharing': bool(false, 'listen with SO_REUSEADDR, which is the case anyway, as in upstream'),
  'permit-port-sharing': bool(false, 'listen with SO_REUSEPORT: others may listen on the same address and port'),
  'secure-port': int(6443, 'port to listen on'),
  'tls-cert-file': string('', 'serving certificate, followed by its intermediates'),
  'tls-cipher-suites': strings('cipher suites up to TLS 1.2, by their IANA names'),
  'tls-curve-preferences': int32Slice('key exchange groups to offer, by their numbers in TLS; their order says nothing'),
  'tls-min-version': string('', 'VersionTLS12 or VersionTLS13; older ones are not offered'),
  'tls-private-key-file': string('', 'private key of --tls-cert-file'),
  'tls-sni-cert-key': namedCertificates('further pairs for other host names, as certificate,key[:name,name]; may be repeated'),
});

export function servingConfig(flags: FlagValues<typeof secureServingFlags.flags>): GivenConfig {
  const [certificate, key] = [{ file: flags['tls-cert-file'] }, { file: flags['tls-private-key-file'] }];
  const isGiven = certificate.file !== '' || key.file !== '';
  return {
    serving: {
      address: flags['bind-address'],
      port: flags['secure-port'],
      certificate: isGiven ? { certificate, key } : { directory: flags['cert-dir'] },
      namedCertificates: flags['tls-sni-cert-key'].map(({ certificateFile, keyFile, names }) => {
        return { certificate: { file: certificateFile }, key: { file: keyFile }, names };
      }),
      minVersion: flags['tls-min-version'],
      cipherSuites: flags['tls-cipher-suites'],
      curves: flags['tls-curve-preferences'],
      sharesPort: flags['permit-port-sharing'],
      maxStreams: flags['http2-max-streams-per-connection'],
      http1Only: flags['disable-http2-serving'],
    },
  };
}

import type { GivenConfig } from '../../controlplane/config.ts';
import type { FlagValues } from './flag.ts';
import { flagGroup } from './flag.ts';
import { bool, componentTexts, duration, float, int, ip, string, strings } from './flag-kinds.ts';

export const genericFlags = flagGroup('Generic', {
  'advertise-address': ip(
    '',
    'address that members of the cluster reach this server at; by default --bind-address, or the first interface',
  ),
  'cors-allowed-origins': strings('regular expressions of origins that browsers may call from'),
  'emulated-version': strings('behave like this earlier release, as [kube=]major.minor: its feature gates, APIs and storage versions'),
  'emulation-forward-compatible': bool(false, 'while emulating, also serve newer versions of what is served'),
  'external-hostname': string('', 'host name for URLs that are handed out'),
  'feature-gates': componentTexts('features to turn on or off, as [component:]Name=true|false; see docs/reference'),
  'goaway-chance': float(0, 'share of requests, 0 to 0.02, that ask HTTP/2 clients to reconnect'),
  'livez-grace-period': duration('0s', 'how long /livez stays good while start-up hooks run'),
  'max-mutating-requests-inflight': int(200, 'writes in flight; with --max-requests-inflight the total of priority and fairness'),
  'max-requests-inflight': int(400, 'reads in flight; with --max-mutating-requests-inflight the total of priority and fairness'),
  'min-compatibility-version': strings(
    'oldest release that others on the same store may be, as [kube=]major.minor; by default the one before',
  ),
  'min-request-timeout': int(1800, 'seconds that a watch stays open at least when the client names no timeout'),
  'request-timeout': duration('1m', 'time after which requests that are not long-running are cut off'),
  'runtime-config-emulation-forward-compatible': bool(false, 'while emulating, serve what --runtime-config names even if it is newer'),
  'shutdown-delay-duration': duration('0s', 'keep serving this long after the signal to stop, while /readyz fails'),
  'shutdown-send-retry-after': bool(false, 'while stopping, answer 429 with Retry-After instead of closing the port'),
  'shutdown-watch-termination-grace-period': duration(
    '0s',
    'while stopping, let watches end one after the other during this time; 0 for all at once',
  ),
  'storage-initialization-timeout': duration('1m', 'time that the storage gets before readiness no longer waits for it'),
  'strict-transport-security-directives': strings('directives of the Strict-Transport-Security header'),
});

export function genericConfig(flags: FlagValues<typeof genericFlags.flags>): GivenConfig {
  return {
    storage: { initializationTimeoutMs: flags['storage-initialization-timeout'] },
    flowControl: { maxReads: flags['max-requests-inflight'], maxWrites: flags['max-mutating-requests-inflight'] },
    serving: {
      externalHostname: flags['external-hostname'],
      minRequestTimeoutSeconds: flags['min-request-timeout'],
      requestTimeoutMs: flags['request-timeout'],
      shutdownDelayMs: flags['shutdown-delay-duration'],
      shutdownWatchGraceMs: flags['shutdown-watch-termination-grace-period'],
      corsAllowedOrigins: flags['cors-allowed-origins'],
      goawayChance: flags['goaway-chance'],
      livezGraceMs: flags['livez-grace-period'],
      shutdownSendRetryAfter: flags['shutdown-send-retry-after'],
      strictTransportSecurity: flags['strict-transport-security-directives'],
    },
  };
}

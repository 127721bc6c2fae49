// Upstream: go.etcd.io/etcd/server/v3/etcdmain/etcd.go
import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { createLogger } from '../base/logging/create-logger.ts';
import { textFormat } from '../base/logging/text-format.ts';
import { Verbosity } from '../base/logging/verbosity.ts';
import { parseDuration } from '../machinery/duration.ts';
import type { FlagValues } from './flags/flag.ts';
import { etcdFlagGroups, etcdFlags } from './flags/etcd-server.ts';
import type { EtcdServerConfig, ListenAddress } from '../etcd/server.ts';
import { EtcdServer } from '../etcd/server.ts';
import { etcdVersion } from '../etcd/maintenance-service.ts';
import { renderHelp } from './help.ts';
import { parseFlags } from './parse-flags.ts';
import type { CommandIo } from './server-command.ts';
import { untilSignalled } from './signals.ts';
import { surviveStrayErrors } from './stray-errors.ts';
import { wheelhouseVersion } from './version.ts';

type EtcdFlags = FlagValues<typeof etcdFlags>;

const defaultQuota = 2_147_483_648;
/** Letters of the lines that a level does not show. */
const logLevels: Readonly<Record<string, string>> = Object.freeze({
  debug: '',
  info: '',
  warn: 'I',
  error: 'IW',
  panic: 'IW',
  fatal: 'IW',
});

/** Runs one member of etcd with these arguments until it is asked to stop; resolves with the exit code. */
export async function etcdCommand(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const { values: flags, positional, changed } = parseFlags(etcdFlags, [...fromEnvironment(process.env), ...args]);
    if (flags.help) {
      io.out(renderHelp(intro, 'etcd [flags]', etcdFlagGroups, process.stdout.columns));
      return 0;
    }
    if (flags.version) {
      io.out(`etcd Version: ${etcdVersion}\nWheelhouse: ${wheelhouseVersion}\n`);
      return 0;
    }
    if (positional.length > 0) throw new Error(`${JSON.stringify(positional[0])} is not a flag`);
    const hidden = hiddenSeverities(flags['log-level']);
    const log = createLogger({
      verbosity: new Verbosity(0),
      format: textFormat(process.pid),
      // Lines start with the letter of their severity.
      write: (line) => (hidden.includes(line[0]!) ? undefined : io.err(line)),
      now: () => systemClock.now(),
    });
    const config = configOf(flags, changed, log);
    const signalled = untilSignalled();
    await using server = await EtcdServer.start(config).catch((error: unknown) => {
      throw readable(error);
    });
    using _ = keepCompacted(server, retentionMs(flags), log);
    using __ = surviveStrayErrors(process, log);
    await signalled;
    return 0;
  } catch (error) {
    io.err(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

const intro = `One member of etcd, by Wheelhouse: etcd's v3 API on a store of its own, for kube-apiserver, etcdctl and tests.
Flags that are not listed are refused. Every flag can be given as a variable, as ETCD_DATA_DIR.`;

/** As etcd: variables come first, so that flags win. */
function fromEnvironment(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(etcdFlags).flatMap((name) => {
    const value = environment[`ETCD_${name.toUpperCase().replaceAll('-', '_')}`];
    return value === undefined || value === '' ? [] : [`--${name}=${value}`];
  });
}

function configOf(flags: EtcdFlags, changed: ReadonlySet<string>, log: Logger): EtcdServerConfig {
  const { name } = flags;
  const certificate = [flags['cert-file'], flags['key-file']];
  const clientAddresses = last(flags['listen-client-urls']).map((url) => addressOf(url, 'listen-client-urls'));
  const metricsAddresses = flags['listen-metrics-urls'].map((url) => addressOf(url, 'listen-metrics-urls'));
  const isSecure = [...clientAddresses, ...metricsAddresses].some(({ secure }) => secure);
  if (certificate.filter((file) => file !== '').length === 1) throw new Error('--cert-file and --key-file go together');
  if (isSecure && certificate[0] === '') throw new Error('an https URL needs --cert-file and --key-file');
  for (const file of [...certificate, flags['trusted-ca-file']])
    if (file !== '' && !existsSync(file)) throw new Error(`there is no file ${file}`);
  if (flags['client-cert-auth'] && flags['trusted-ca-file'] === '') throw new Error('--client-cert-auth needs --trusted-ca-file');
  for (const url of flags['listen-peer-urls']) addressOf(url, 'listen-peer-urls');
  const members = flags['initial-cluster'].split(',').filter((member) => member !== '');
  if (members.length > 1) throw new Error(`--initial-cluster names ${members.length} members; this etcd is always alone`);
  for (const gate of flags['feature-gates'].keys()) {
    if (gate !== 'InitialCorruptCheck') throw new Error(`--feature-gates: there is no ${gate} here`);
  }
  if (flags['auto-compaction-mode'] !== 'periodic') throw new Error('--auto-compaction-mode: only periodic is possible');
  const advertised = flags['advertise-client-urls'];
  const peers = flags['initial-advertise-peer-urls'];
  const older = 'experimental-watch-progress-notify-interval';
  return {
    name,
    directory: flags['data-dir'] === '' ? `${name}.etcd` : flags['data-dir'],
    clientAddresses,
    metricsAddresses,
    advertisedClientUrls: advertised.length > 0 ? advertised : last(flags['listen-client-urls']),
    peerUrls: peers.length > 0 ? peers : ['http://localhost:2380'],
    tls:
      certificate[0] === ''
        ? undefined
        : { certFile: certificate[0]!, keyFile: certificate[1]!, clientCaFile: flags['trusted-ca-file'] || undefined },
    sync: !flags['unsafe-no-fsync'],
    progressIntervalMs: Math.max(100, changed.has(older) ? flags[older] : flags['watch-progress-notify-interval']),
    maxRequestBytes: flags['max-request-bytes'],
    maxTxnOperations: flags['max-txn-ops'],
    quotaBytes: flags['quota-backend-bytes'] > 0 ? flags['quota-backend-bytes'] : defaultQuota,
    log,
  };
}

function hiddenSeverities(level: string): string {
  const hidden = Object.hasOwn(logLevels, level) ? logLevels[level] : undefined;
  if (hidden === undefined) throw new Error(`--log-level: ${level} is none of ${Object.keys(logLevels).join(', ')}`);
  return hidden;
}

/** The same address twice is meant once. */
function last(urls: readonly string[]): string[] {
  return [...new Set(urls)];
}

function addressOf(text: string, flag: string): ListenAddress {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw new Error(`--${flag}: ${JSON.stringify(text)} is not a URL as http://127.0.0.1:2379`);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  // As in Go, which prefers the IPv4 address.
  const host = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port, secure: url.protocol === 'https:' };
}

/** `1h30m`, or hours. */
function retentionMs(flags: EtcdFlags): number {
  const text = flags['auto-compaction-retention'];
  const ms = /^\d+$/.test(text) ? Number(text) * 3_600_000 : Number(parseDuration(text)) / 1e6;
  if (!(ms >= 0)) throw new Error(`--auto-compaction-retention: ${text} is not a length of time`);
  return ms;
}

const compactionsPerRetention = 10;

/** Forgets what is older than the retention, if there is one. */
function keepCompacted({ store }: EtcdServer, retention: number, log: Logger): Disposable {
  if (retention === 0) return { [Symbol.dispose]: () => undefined };
  const revisions: number[] = [];
  const timer = setInterval(
    () => {
      revisions.push(store.revision);
      if (revisions.length <= compactionsPerRetention) return;
      const revision = revisions.shift()!;
      if (revision <= store.storage.compactRevision) return;
      store.compact(revision).catch((error: unknown) => log.error('the store could not be compacted', { err: error }));
    },
    Math.min(retention / compactionsPerRetention, 0x7fffffff),
  );
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function readable(error: unknown): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE') return new Error(`port ${port} of ${address} is in use; choose another in --listen-client-urls`);
  return error;
}

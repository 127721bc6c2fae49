import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdProcess } from '../etcd/etcd-process.ts';
import type { ApiServerProcess } from '../servers/api-server-process.ts';

export interface Sufferer {
  readonly server: ApiServerProcess;
  readonly etcd: EtcdProcess;
  readonly other: EtcdProcess;
}

export interface Fault {
  readonly name: string;
  /** of the flag sets of the suite */
  readonly flagSet: string;
  readonly flags?: readonly string[];
  /** the store is frozen as soon as the server listens */
  readonly atStart?: boolean;
  /** the plugin fails from before the start: servers that run look at it once a minute */
  readonly pluginFails?: boolean;
  readonly cause?: (sufferer: Sufferer) => void;
}

const frozen = { atStart: true } as const;

export const faults: readonly Fault[] = [
  { name: 'etcd does not respond at the start', flagSet: 'no flags', ...frozen },
  { name: 'nor with a front proxy', flagSet: 'front proxy and its client', ...frozen },
  { name: 'nor without fairness', flagSet: 'without fairness and identity', ...frozen },
  { name: 'nor with encryption', flagSet: 'encryption, reloaded', ...frozen },
  { name: 'nor with an election', flagSet: 'coordinated leader election', ...frozen },
  { name: 'nor with storage versions', flagSet: 'storage versions', ...frozen },
  { name: 'etcd stops responding', flagSet: 'no flags', cause: ({ etcd }) => etcd.signal('SIGSTOP') },
  { name: 'the etcd of events stops responding', flagSet: 'another etcd for events', cause: ({ other }) => other.signal('SIGSTOP') },
  { name: 'the KMS plugin fails', flagSet: 'a KMS plugin, reloaded', pluginFails: true },
  { name: 'the only KMS plugin fails', flagSet: 'a KMS plugin, not reloaded', pluginFails: true },
  {
    name: 'the server is shutting down',
    flagSet: 'no flags',
    flags: ['--shutdown-delay-duration=30s'],
    cause: ({ server }) => void process.kill(server.pid, 'SIGTERM'),
  },
];

const untilStarted = 'fails until its part is started, which takes nothing from outside';

/** Checks that no fault from outside reaches, of upstream or of ours. */
const elsewhere: Readonly<Record<string, string>> = {
  ping: 'fails with the process alone',
  log: 'src/controlplane/health-checks.test.ts',
  'loopback-serving-certificate': 'src/controlplane/health-checks.test.ts',
  'poststarthook/max-in-flight-filter': untilStarted,
  'poststarthook/start-encryption-provider-config-automatic-reload': untilStarted,
  'poststarthook/aggregator-reload-proxy-client-cert': untilStarted,
  'poststarthook/start-kube-apiserver-coordinated-leader-election-controller': untilStarted,
};

const tries = 6;
const pauseMs = 2500;

/** Which checks fail by it: those that did at any time, for some take as long as a request to the store. */
export async function failuresBy({ cause, atStart }: Fault, sufferer: Sufferer): Promise<ReadonlySet<string>> {
  cause?.(sufferer);
  const failed = new Set<string>();
  for (let index = 0; index < (atStart === true ? 3 : tries); index++) {
    for (const path of ['/readyz?verbose', '/livez?verbose', '/healthz?verbose']) {
      // Where there is no response the next look may have one: a server that has just begun to listen is still at its start.
      const body = await sufferer.server.request('GET', path).then(
        (answer) => answer.body,
        () => '',
      );
      for (const [, name = ''] of body.matchAll(/^\[-\](\S+) failed/gm)) failed.add(name);
    }
    await sleep(pauseMs);
  }
  return failed;
}

/** By fault: which checks failed. */
export interface Failures {
  readonly ours: Map<string, ReadonlySet<string>>;
  readonly upstream: Map<string, ReadonlySet<string>>;
}

export function faultTable(names: ReadonlySet<string>, failures: Failures): { lines: string[]; problems: string[] } {
  const by = (side: ReadonlyMap<string, ReadonlySet<string>>, name: string): string[] =>
    [...side].flatMap(([fault, failed]) => (failed.has(name) ? [fault] : []));
  const lines: string[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const [ours, upstream] = [by(failures.ours, name), by(failures.upstream, name)];
    const shown = ours[0] ?? elsewhere[name];
    lines.push(`${name}: ${shown ?? '-'} (${ours.length}); upstream: ${upstream[0] ?? '-'} (${upstream.length})`);
    if (shown === undefined) problems.push(`${name} fails by no fault`);
    else if (ours.length === 0 && upstream.length > 0) problems.push(`${name} fails on upstream alone: ${upstream.join(', ')}`);
  }
  return { lines, problems };
}

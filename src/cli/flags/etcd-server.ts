// Upstream: go.etcd.io/etcd/server/v3/embed/config.go#AddFlags
import { bool, configurationMap, duration, int, string, strings, uint } from './flag-kinds.ts';
import { flagGroup, shorthand } from './flag.ts';

const alone = 'There are no peers: it is accepted, and nothing is served there';

export const etcdMemberFlags = flagGroup('Member', {
  name: string('default', 'Name of this member'),
  'data-dir': string('', 'Folder of the data; made if it does not exist. Left out: NAME.etcd in the current folder'),
  'listen-client-urls': strings('URLs to serve clients on: gRPC and HTTP on the same port', ['http://localhost:2379']),
  'advertise-client-urls': strings('URLs that the list of members shows for this one'),
  'listen-metrics-urls': strings('URLs to serve only health and metrics on'),
  'max-request-bytes': uint(1_572_864, 'Largest write that is taken, in bytes'),
  'max-txn-ops': uint(128, 'Most operations of a transaction'),
  'quota-backend-bytes': int(0, 'Shown to clients as the size to stay below; 0 shows 2147483648'),
  'watch-progress-notify-interval': duration('10m', 'How often idle watches that asked for it learn which revision they have reached'),
  'experimental-watch-progress-notify-interval': duration('10m', 'The same under its name in older releases'),
});

export const etcdClusterFlags = flagGroup('Clustering', {
  'listen-peer-urls': strings(alone),
  'initial-advertise-peer-urls': strings('URLs of peers that the list of members shows for this one'),
  'initial-cluster': string('', 'This member as NAME=URL; a second one is refused'),
  'initial-cluster-state': string('new', 'new, or existing when the data of this member is there already'),
  'initial-cluster-token': string('etcd-cluster', 'Part of the identity of the cluster'),
});

export const etcdSecurityFlags = flagGroup('Security', {
  'cert-file': string('', 'Certificate to serve clients with on https URLs; read again when it changes'),
  'key-file': string('', 'Key of that certificate'),
  'client-cert-auth': bool(false, 'Clients need a certificate of --trusted-ca-file'),
  'trusted-ca-file': string('', 'Authorities of the certificates of clients; set, clients need one'),
  'peer-cert-file': string('', alone),
  'peer-key-file': string('', alone),
  'peer-client-cert-auth': bool(false, alone),
  'peer-trusted-ca-file': string('', alone),
});

export const etcdOtherFlags = flagGroup('Other', {
  'unsafe-no-fsync': bool(false, 'Acknowledge writes before they are on the disk: for tests, a machine that stops loses them'),
  'snapshot-count': uint(10_000, 'Accepted for its callers: the log is compacted by size'),
  'feature-gates': configurationMap('Accepted where it changes nothing here: InitialCorruptCheck, which always is on'),
  'experimental-initial-corrupt-check': bool(false, 'Accepted: data is always checked when it is read'),
  'auto-compaction-mode': string('periodic', 'periodic'),
  'auto-compaction-retention': string(
    '0',
    'How much history is kept, as a duration or a number of hours; 0 keeps all until a client compacts',
  ),
  'log-level': string('info', 'debug, info, warn, error, panic or fatal'),
  help: shorthand(bool(false, 'Print this and stop'), 'h'),
  version: bool(false, 'Print the version of etcd that is served, and stop'),
});

export const etcdFlagGroups = [etcdMemberFlags, etcdClusterFlags, etcdSecurityFlags, etcdOtherFlags];

export const etcdFlags = Object.freeze({
  ...etcdMemberFlags.flags,
  ...etcdClusterFlags.flags,
  ...etcdSecurityFlags.flags,
  ...etcdOtherFlags.flags,
});

import type { EndpointReconcilerType } from '../../controlplane/bootstrap/endpoint-reconciler.ts';
import type { PeerAddress } from '../../controlplane/bootstrap/peer-endpoint.ts';
import type { GivenConfig } from '../../controlplane/config.ts';
import type { KeyPairSource } from '../../controlplane/serving.ts';
import type { FlagValues } from './flag.ts';
import { deprecated, flagGroup } from './flag.ts';
import { bool, duration, int, portRange, string, strings, uint } from './flag-kinds.ts';

export const miscFlags = flagGroup('Misc', {
  'aggregator-reject-forwarding-redirect': bool(true, 'refuse redirects that aggregated servers answer with'),
  'allow-privileged': bool(false, 'admit privileged containers'),
  'apiserver-count': deprecated(
    int(1, 'servers in the cluster, for --endpoint-reconciler-type=master-count'),
    'apiserver-count is deprecated and will be removed in a future version.',
  ),
  'coordinated-leadership-lease-duration': duration(
    '15s',
    'with CoordinatedLeaderElection: life of the lease of the server that elects leaders, unless renewed',
  ),
  'coordinated-leadership-renew-deadline': duration('10s', 'how long that server may fail to renew its lease before it gives up'),
  'coordinated-leadership-retry-period': duration('2s', 'time between attempts at that lease'),
  'enable-aggregator-routing': bool(false, 'call aggregated servers by endpoint address, not by cluster address'),
  'enable-logs-handler': bool(false, 'serve the files of /var/log under /logs'),
  'endpoint-reconciler-type': string('lease', 'how endpoints of the kubernetes service are kept: lease, master-count or none'),
  'event-ttl': duration('1h', 'life of events; 0 for ever'),
  'kubelet-certificate-authority': string('', 'authorities of kubelet certificates'),
  'kubelet-client-certificate': string('', 'client certificate shown to kubelets'),
  'kubelet-client-key': string('', 'private key of --kubelet-client-certificate'),
  'kubelet-port': deprecated(uint(10250, 'port of kubelets'), 'kubelet-port is deprecated and will be removed.'),
  'kubelet-preferred-address-types': strings('kinds of node addresses, first choice first', [
    'Hostname',
    'InternalDNS',
    'InternalIP',
    'ExternalDNS',
    'ExternalIP',
  ]),
  'kubelet-read-only-port': deprecated(
    uint(10255, 'read-only port of kubelets'),
    'kubelet-read-only-port is deprecated and will be removed.',
  ),
  'kubelet-timeout': duration('5s', 'without effect, as in upstream: time that calls to kubelets may take'),
  'kubernetes-service-node-port': int(0, 'node port of the kubernetes service; 0 for a cluster address only'),
  'max-connection-bytes-per-sec': int(0, 'bytes per second, each way, of exec, attach, port-forward and proxied upgrades; 0 for no limit'),
  'peer-advertise-ip': string('', 'address at which other API servers reach this one, with --peer-advertise-port'),
  'peer-advertise-port': string('', 'port at which other API servers reach this one, with --peer-advertise-ip'),
  'peer-ca-file': string(
    '',
    'authorities of the certificates of other API servers; requests for what only those serve are passed on to them',
  ),
  'proxy-client-cert-file': string('', 'client certificate shown to aggregated servers and webhooks'),
  'proxy-client-key-file': string('', 'private key of --proxy-client-cert-file'),
  'service-account-signing-endpoint': string('', 'unix socket of a process that signs service account tokens, in place of key files'),
  'service-account-signing-key-file': string('', 'private key that signs service account tokens'),
  'service-cluster-ip-range': string('', 'CIDRs of service addresses, at most two, one per family'),
  'service-node-port-range': portRange(30000, 32767, 'ports for services of type NodePort'),
});

export function miscConfig(flags: FlagValues<typeof miscFlags.flags>): GivenConfig {
  const kubeletAuthorities = flags['kubelet-certificate-authority'];
  return {
    serving: {
      streamBytesPerSecond: flags['max-connection-bytes-per-sec'],
      peerAddress: peerAddress(flags['peer-advertise-ip'], flags['peer-advertise-port']),
    },
    resources: { allowPrivileged: flags['allow-privileged'], eventTtlSeconds: Math.floor(flags['event-ttl'] / 1000) },
    services: {
      nodePorts: flags['service-node-port-range'],
      kubernetesNodePort: flags['kubernetes-service-node-port'],
      endpointReconciler: flags['endpoint-reconciler-type'] as EndpointReconcilerType,
      serverCount: flags['apiserver-count'],
    },
    kubelets: {
      authorities: kubeletAuthorities === '' ? undefined : { file: kubeletAuthorities },
      client: pairOf(flags['kubelet-client-certificate'], flags['kubelet-client-key']),
      addressTypes: flags['kubelet-preferred-address-types'],
      port: flags['kubelet-port'],
    },
    coordinatedLeadership: {
      leaseDurationMs: flags['coordinated-leadership-lease-duration'],
      renewDeadlineMs: flags['coordinated-leadership-renew-deadline'],
      retryMs: flags['coordinated-leadership-retry-period'],
    },
    aggregation: {
      client: pairOf(flags['proxy-client-cert-file'], flags['proxy-client-key-file']),
      endpointRouting: flags['enable-aggregator-routing'],
      rejectRedirects: flags['aggregator-reject-forwarding-redirect'],
      peerAuthorities: flags['peer-ca-file'] === '' ? undefined : { file: flags['peer-ca-file'] },
    },
  };
}

/** Both, or none. */
export function pairOf(certificate: string, key: string): KeyPairSource | undefined {
  return certificate === '' || key === '' ? undefined : { certificate: { file: certificate }, key: { file: key } };
}

/** Both, or none, as upstream takes them. */
function peerAddress(host: string, port: string): PeerAddress | undefined {
  return host === '' || port === '' ? undefined : { host, port: Number(port) };
}

// Upstream: k8s.io/kubernetes/pkg/controlplane/apiserver/options/validation.go#validateUnknownVersionInteroperabilityProxyFlags, #validateCoordinatedLeadershipFlags
// Upstream: k8s.io/kubernetes/pkg/controlplane/apiserver/peer.go#BuildPeerProxy
import { goQuote } from '../machinery/go-format.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import type { ServerOptions } from './flags/index.ts';

const peerFlags = ['peer-ca-file', 'peer-advertise-ip', 'peer-advertise-port'] as const;

/** What is wrong with flags about other servers. */
export function* validatePeers(flags: ServerOptions, gates: FeatureGates): Iterable<string> {
  if (!gates.enabled('UnknownVersionInteroperabilityProxy')) {
    for (const name of peerFlags) {
      if (flags[name] !== '') yield `--${name} requires UnknownVersionInteroperabilityProxy feature to be turned on`;
    }
  }
  const [lease, renew, retry] = [
    flags['coordinated-leadership-lease-duration'],
    flags['coordinated-leadership-renew-deadline'],
    flags['coordinated-leadership-retry-period'],
  ];
  if (lease <= renew) yield '--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline';
  if (renew <= retry) yield '--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period';
  if (!/^\d*$/.test(flags['peer-advertise-port'])) yield `--peer-advertise-port: ${goQuote(flags['peer-advertise-port'])} is not a port`;
  if (flags['peer-ca-file'] !== '' && gates.enabled('UnknownVersionInteroperabilityProxy')) {
    if (flags['proxy-client-cert-file'] === '') yield 'error building peer proxy handler, proxy-cert-file not specified';
    else if (flags['proxy-client-key-file'] === '') yield 'error building peer proxy handler, proxy-key-file not specified';
  }
}

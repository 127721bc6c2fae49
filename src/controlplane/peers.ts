// Upstream: k8s.io/kubernetes/pkg/controlplane/apiserver/peer.go
import type { PeerProxy } from '../aggregator/peers/peer-proxy.ts';
import type { DiscoveryRegistry } from '../server/discovery/registry.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import type { Storage } from '../storage/storage.ts';
import { ServerLeases } from './bootstrap/server-leases.ts';
import type { ServerConfig } from './config.ts';
import { followedAuthorities, followedPair } from './followed-pair.ts';
import type { ServerContext } from './server-context.ts';

/** Other API servers on the same store. */
export interface Peers {
  /** where they say that they are; undefined: this server takes no part */
  readonly leases: ServerLeases | undefined;
  /** undefined: nothing is passed on to them */
  readonly proxy: PeerProxy | undefined;
}

interface PeerParts {
  readonly reader: ObjectReader;
  readonly discovery: DiscoveryRegistry;
  readonly leaseStorage: Storage;
  readonly storagePrefix: string;
  readonly serverId: string;
}

export async function openPeers({ aggregation }: ServerConfig, context: ServerContext, parts: PeerParts): Promise<Peers> {
  const { clock, log, metrics, features, texts, egress, owned } = context;
  if (!features.enabled('UnknownVersionInteroperabilityProxy')) return { leases: undefined, proxy: undefined };
  const leases = new ServerLeases(parts, 'peerserverleases');
  const { peerAuthorities } = aggregation;
  if (peerAuthorities === undefined) return { leases, proxy: undefined };
  const client = followedPair(aggregation.client, texts);
  const authorities = followedAuthorities(peerAuthorities, texts);
  const { PeerProxy } = await import('../aggregator/peers/peer-proxy.ts');
  const addressOf = (id: string): ReturnType<typeof leases.addressOf> => leases.addressOf(id);
  const dial = egress.controlplane;
  return { leases, proxy: owned.use(new PeerProxy({ ...parts, addressOf, authorities, client, dial, metrics, clock, log })) };
}

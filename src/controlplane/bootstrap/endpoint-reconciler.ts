// Upstream: k8s.io/kubernetes/pkg/controlplane/reconcilers/{lease,instancecount,none}.go
import type { KubernetesEndpoints, Subset } from './kubernetes-endpoints.ts';
import { onConflictAgain } from './kubernetes-endpoints.ts';
import type { ServerLeases } from './server-leases.ts';

/** How the endpoints of the `kubernetes` Service are kept. */
export type EndpointReconcilerType = 'lease' | 'master-count' | 'none';

export interface Advertised {
  readonly address: string;
  readonly port: number;
}

export interface EndpointReconciler {
  /** Says that this server lives, and brings the endpoints into line. */
  reconcile(own: Advertised): Promise<void>;
  /** Takes this server out; `stopping`: for good, so that no server may be left. */
  remove(own: Advertised, stopping: boolean): Promise<void>;
}

/** Every server keeps a key from expiring; each server lists all of them. */
export function leaseReconciler(endpoints: KubernetesEndpoints, leases: ServerLeases): EndpointReconciler {
  const list = ({ port }: Advertised, options: { resetPorts: boolean; mayBeEmpty: boolean }): Promise<void> =>
    onConflictAgain(async () => {
      const read = await endpoints.read();
      if (read === undefined && options.mayBeEmpty) return;
      const living = await leases.list();
      if (living.length === 0 && !options.mayBeEmpty) {
        throw new Error('no API server IP addresses were listed in storage, refusing to erase all endpoints for the kubernetes Service');
      }
      const subset = onlySubset(read?.subsets);
      // Kept for compatibility: ports are not looked at while the server runs, as all servers have the same.
      const next: Subset = subset === undefined || options.resetPorts ? { ...subset, ports: portsOf(port) } : subset;
      const listed = (subset?.addresses ?? []).map(({ ip }) => ip);
      const isSame = living.length > 0 && listed.length === living.length && living.every((ip) => listed.includes(ip));
      await endpoints.write(read, isSame ? [next] : packed({ ...next, addresses: living.map((ip) => ({ ip })) }));
    });
  return {
    async reconcile(own) {
      // First, whatever fails below: others will then list this server.
      await leases.renew(own.address, { subset: { addresses: [{ ip: own.address }] } });
      await list(own, { resetPorts: false, mayBeEmpty: false });
    },
    async remove(own, stopping) {
      if (await leases.remove(own.address)) await list(own, { resetPorts: true, mayBeEmpty: stopping });
    },
  };
}

/** Every server adds itself, and takes others out when there are more than there should be. */
export function masterCountReconciler(endpoints: KubernetesEndpoints, count: number): EndpointReconciler {
  return {
    reconcile: ({ address, port }) =>
      onConflictAgain(async () => {
        const read = await endpoints.read();
        const subset = onlySubset(read?.subsets);
        if (subset === undefined) return endpoints.write(read, packed({ addresses: [{ ip: address }], ports: portsOf(port) }));
        const addresses = subset.addresses ?? [];
        const isThere = addresses.some(({ ip }) => ip === address);
        if (isThere && addresses.length <= count) return endpoints.write(read, [subset]);
        const [next = subset] = packed({ ...subset, addresses: isThere ? addresses : [...addresses, { ip: address }] });
        await endpoints.write(read, [{ ...next, addresses: withoutSurplus(next.addresses ?? [], address, count) }]);
      }),
    remove: ({ address }) =>
      onConflictAgain(async () => {
        const read = await endpoints.read();
        const [first, ...rest] = read?.subsets ?? [];
        if (read === undefined || first === undefined) return;
        const addresses = (first.addresses ?? []).filter(({ ip }) => ip !== address);
        await endpoints.write(read, [...packed({ ...first, addresses }), ...rest]);
      }),
  };
}

/** Another program maintains them. */
export const noReconciler: EndpointReconciler = { reconcile: () => Promise.resolve(), remove: () => Promise.resolve() };

/** Those after the own address go first, around the end of the list. */
function withoutSurplus<A extends { readonly ip: string }>(addresses: readonly A[], own: string, count: number): A[] {
  const at = addresses.findIndex(({ ip }) => ip === own);
  const fromOwn = [...addresses.slice(at), ...addresses.slice(0, at)];
  const surplus = new Set(fromOwn.slice(1, 1 + Math.max(0, addresses.length - count)));
  return addresses.filter((one) => !surplus.has(one));
}

function portsOf(port: number): NonNullable<Subset['ports']> {
  return [{ name: 'https', port, protocol: 'TCP' }];
}

/** undefined: there is none, or there are others beside it. */
function onlySubset(subsets: readonly Subset[] = []): Subset | undefined {
  return subsets.length === 1 ? subsets[0] : undefined;
}

/** In the order in which upstream packs subsets; one without addresses is none. */
function packed(subset: Subset): Subset[] {
  const { addresses = [], notReadyAddresses = [] } = subset;
  if (addresses.length === 0 && notReadyAddresses.length === 0) return [];
  return [{ ...subset, addresses: addresses.toSorted((a, b) => (a.ip < b.ip ? -1 : Number(a.ip > b.ip))) }];
}

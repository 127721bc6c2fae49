// Upstream: k8s.io/kubernetes/pkg/controlplane/{instance,apiserver/server}.go
// What a cluster has from its first moment on. Every step may run again: what is there stays as it is.
import { pause } from '../../base/pause.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ServedGroupVersion } from '../../schema/resources.ts';
import type { PostStartHook, PreShutdownHook } from '../../server/api-server.ts';
import type { ServerWriter, ServerWriterOptions } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { clusterAuthenticationHook } from './cluster-authentication.ts';
import type { FollowedAuthentication } from './cluster-authentication.ts';
import { defaultServiceCidrHook } from './default-service-cidr.ts';
import type { EndpointReconciler, EndpointReconcilerType } from './endpoint-reconciler.ts';
import { leaseReconciler, masterCountReconciler, noReconciler } from './endpoint-reconciler.ts';
import { flowControlHook } from './flow-control.ts';
import { flowSchemaStatusHook } from './flow-schema-status.ts';
import { IdentityLease } from './identity-lease.ts';
import { KubernetesEndpoints } from './kubernetes-endpoints.ts';
import type { KubernetesServiceOptions } from './kubernetes-service.ts';
import { KubernetesService } from './kubernetes-service.ts';
import { legacyTokenTrackingHook } from './legacy-token-tracking.ts';
import type { PeerAddress } from './peer-endpoint.ts';
import { PeerEndpoint } from './peer-endpoint.ts';
import { priorityClassesHook } from './priority-classes.ts';
import { rbacRolesHook } from './rbac-roles.ts';
import { ServerLeases } from './server-leases.ts';
import { serviceRepairHook } from './service-repair.ts';
import { systemNamespacesHook } from './system-namespaces.ts';
import type { ServiceRepairOptions } from './service-repair.ts';

type ServiceOptions = Omit<KubernetesServiceOptions, 'endpoints' | 'serviceCidrExists'>;

export interface BootstrapOptions extends ServerWriterOptions, ServiceOptions, ServiceRepairOptions {
  readonly writer: ServerWriter;
  /** --service-cluster-ip-range */
  readonly serviceRanges: readonly string[];
  /** of this machine */
  readonly hostname: string;
  /** by which other servers know this one */
  readonly identity: string;
  readonly endpointReconciler: EndpointReconcilerType;
  /** where other API servers reach this one; undefined: nowhere */
  readonly peerAddress: Promise<PeerAddress | undefined>;
  /** leases by which API servers of the store find each other; undefined: they do not */
  readonly peerLeases: ServerLeases | undefined;
  /** --apiserver-count, for the reconciler that goes by it */
  readonly serverCount: number;
  readonly served: readonly ServedGroupVersion[];
  /** the store of the leases of servers: the main one, whichever that of endpoints is */
  readonly leaseStorage: Storage;
  readonly authentication: FollowedAuthentication;
  /** the store is a copy of one that has everything */
  readonly isCopy: boolean;
  /** called when flow schemas or priority levels have changed */
  readonly flowControlChanged?: () => Promise<void>;
  /** whether this server says of flow schemas that their levels exist; false: another thread does */
  readonly writesStatus?: boolean;
}

export interface BootstrapHooks {
  readonly postStart: readonly PostStartHook[];
  readonly preShutdown: readonly PreShutdownHook[];
}

export function bootstrapHooks(options: BootstrapOptions): BootstrapHooks {
  const { writer } = options;
  const serviceCidr = defaultServiceCidrHook({ ...options, writer });
  const service = new KubernetesService({
    ...options,
    writer,
    serviceCidrExists: serviceCidr.exists,
    endpoints: endpointReconciler(options, writer),
  });
  const { features, identity: serverId } = options;
  const namesPeerAddress = features.enabled('UnknownVersionInteroperabilityProxy');
  const identity = features.enabled('APIServerIdentity') ? new IdentityLease({ ...options, writer, namesPeerAddress }) : undefined;
  const { peerLeases: leases, peerAddress: address } = options;
  const peer = leases && new PeerEndpoint({ ...options, leases, address, serverId });
  return {
    postStart: [
      systemNamespacesHook(writer, options),
      serviceCidr.hook,
      service.startHook,
      ...(peer === undefined ? [] : [peer.startHook]),
      ...(identity === undefined ? [] : [identity.startHook, identity.collectorHook]),
      serviceRepairHook(options),
      priorityClassesHook(writer),
      clusterAuthenticationHook(writer, options),
      legacyTokenTrackingHook(writer, options),
      flowControlHook(writer, options),
      ...(options.flowControlChanged === undefined ? [] : [flowSchemaStatusHook(writer, options)]),
      rbacRolesHook(writer, options),
    ].map((hook) => persistent(hook, options)),
    preShutdown: [service.stopHook, ...(peer === undefined ? [] : [peer.stopHook]), ...(identity === undefined ? [] : [identity.stopHook])],
  };
}

const retryMs = 1000;
/** Without them nothing works that an administrator relies on: a server that cannot write them ends, as upstream's does. */
const needed: ReadonlySet<string> = new Set(['rbac/bootstrap-roles', 'scheduling/bootstrap-system-priority-classes']);
const neededWithinMs = 30_000;

/** What fails is tried again, and keeps the server from being ready meanwhile. */
function persistent(hook: PostStartHook | BootstrapHook, { clock, log, isCopy }: BootstrapOptions): PostStartHook {
  return {
    name: hook.name,
    run: async (signal) => {
      const since = clock.elapsed();
      for (;;) {
        try {
          if ('begin' in hook && !isCopy) await hook.begin(signal);
          return await hook.run(signal);
        } catch (error) {
          if (signal.aborted) return;
          if (needed.has(hook.name) && clock.elapsed() - since >= neededWithinMs) throw error;
          log.error('a post-start hook failed and will be tried again', { name: hook.name, err: error });
          await pause(clock, retryMs, signal);
        }
      }
    },
  };
}

function endpointReconciler(options: BootstrapOptions, writer: ServerWriter): EndpointReconciler {
  const { endpointReconciler: type, serverCount, reader } = options;
  if (type === 'none') return noReconciler;
  const endpoints = new KubernetesEndpoints(reader, writer);
  if (type === 'master-count') return masterCountReconciler(endpoints, serverCount);
  return leaseReconciler(endpoints, new ServerLeases(options, 'masterleases'));
}

// Upstream: k8s.io/apiserver/pkg/server/config.go, k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go
// Upstream: k8s.io/kube-aggregator/pkg/apiserver/apiserver.go, k8s.io/kubernetes/pkg/controlplane/apiserver/aggregator.go
import type { Aggregator } from '../aggregator/aggregator.ts';
import type { AutoRegistration } from '../aggregator/auto-registration.ts';
import type { CustomResourceServer } from '../apiextensions/custom-resource-server.ts';
import type { Logger } from '../base/log.ts';
import type { Admission } from '../server/admission/admission.ts';
import type { PostStartHook } from '../server/api-server.ts';
import type { KnownPaths } from '../server/lifecycle/known-paths.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import type { Resource } from '../server/registry/resource.ts';

export interface ServerParts {
  readonly reader: ObjectReader;
  readonly admission: Admission;
  readonly extensions: CustomResourceServer;
  readonly registration: AutoRegistration;
  readonly aggregator: Aggregator;
  readonly knownPaths: KnownPaths;
  /** with which this server reaches aggregated ones, read from files; undefined: it has none */
  readonly proxyClient: (() => unknown) | undefined;
  /** the encryption configuration is read again when its file changes */
  readonly followEncryption: (() => void) | undefined;
  readonly hasRbac: boolean;
  readonly log: Logger;
}

const apiServices = ['apiregistration.k8s.io', 'apiservices'] as const;
const definitions = ['apiextensions.k8s.io', 'customresourcedefinitions'] as const;
const rbac = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];

/** What the parts of a server do once it listens, by upstream's names; a hook that has not finished is a health check that fails. */
export function partHooks(parts: ServerParts): PostStartHook[] {
  const { reader, admission, extensions, registration, aggregator, knownPaths, proxyClient, followEncryption, hasRbac, log } = parts;
  const loaded = async (resource: Resource, signal: AbortSignal): Promise<void> => resource.store.cache.ready(signal);
  const aggregating = Promise.withResolvers<void>();
  const registered = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  /** When it is over, clients find everything that was there before the start. */
  const everythingServed = async (): Promise<void> => {
    await aggregating.promise;
    await extensions.started;
  };
  const hooks: PostStartHook[] = [
    { name: 'start-apiserver-admission-initializer', run: () => admission.ready() },
    {
      name: 'generic-apiserver-start-informers',
      run: async (signal) => {
        const resources = [reader.resource('', 'namespaces')];
        if (hasRbac) resources.push(...rbac.map((plural) => reader.resource('rbac.authorization.k8s.io', plural)));
        await Promise.all(resources.map((resource) => loaded(resource, signal)));
      },
    },
    { name: 'start-apiextensions-informers', run: (signal) => loaded(reader.resource(...definitions), signal) },
    { name: 'start-apiextensions-controllers', run: () => extensions.start() },
    { name: 'crd-informer-synced', run: () => extensions.started },
    { name: 'start-kube-aggregator-informers', run: (signal) => loaded(reader.resource(...apiServices), signal) },
    { name: 'apiservice-registration-controller', run: () => aggregator.start().then(aggregating.resolve, aggregating.reject) },
    {
      name: 'apiservice-discovery-controller',
      run: async () => {
        await everythingServed();
        knownPaths.complete();
        log.info('all endpoints are registered and discovery is complete', { name: 'MuxAndDiscoveryComplete' });
      },
    },
    {
      name: 'kube-apiserver-autoregistration',
      run: async (signal) => {
        // Nothing is taken away before it is known what is there.
        await extensions.started;
        await registration.start(signal).then(registered.resolve, registered.reject);
      },
    },
    {
      name: 'apiservice-status-local-available-controller',
      run: async (signal) => {
        await registered.promise;
        await aggregator.followAvailability(signal).then(looked.resolve, looked.reject);
      },
    },
    // One loop keeps the conditions of both.
    { name: 'apiservice-status-remote-available-controller', run: () => looked.promise },
    // Documents are made when a client asks for them, of what is served then.
    { name: 'apiservice-openapi-controller', run: everythingServed },
    { name: 'apiservice-openapiv3-controller', run: everythingServed },
  ];
  if (proxyClient !== undefined) hooks.push({ name: 'aggregator-reload-proxy-client-cert', run: async () => void proxyClient() });
  if (followEncryption !== undefined)
    hooks.push({ name: 'start-encryption-provider-config-automatic-reload', run: async () => followEncryption() });
  return hooks;
}

// Upstream: cmd/kube-apiserver/app/server.go (CreateServerChain)
import type { AddressInfo } from 'node:net';
import { customResourceDefinitions } from '../apiextensions/definition/definition.ts';
import { DefinitionProgress } from '../apiextensions/definition/progress.ts';
import { CustomResourceServer } from '../apiextensions/custom-resource-server.ts';
import { Aggregator } from '../aggregator/aggregator.ts';
import type { ClientCertificate } from '../base/https/streaming-client.ts';
import { StreamingClient } from '../base/https/streaming-client.ts';
import type { Clock } from '../base/clock.ts';
import { MetricsRegistry } from '../base/metrics.ts';
import type { Logger } from '../base/log.ts';
import type { GroupVersionKind } from '../machinery/type-model.ts';
import { parseGroupVersion } from '../machinery/group-version.ts';
import { Shapes } from '../patch/apply/shape.ts';
import type { ServedGroupVersion } from '../schema/resources.ts';
import { servedGroupVersions } from '../schema/resources.ts';
import { Admission } from '../server/admission/admission.ts';
import type { AdmissionPlugin } from '../server/admission/admission.ts';
import type { PluginContext, PluginDefinition } from '../server/admission/plugin.ts';
import { createPlugin } from '../server/admission/plugin.ts';
import type { PostStartHook, ServingOptions } from '../server/api-server.ts';
import { ApiServer } from '../server/api-server.ts';
import type { Authenticator } from '../server/access/authn/authenticator.ts';
import { installOpenId } from '../server/routes/open-id.ts';
import type { Authorizer } from '../server/request/authorizer.ts';
import type { ServerAddresses } from '../server/discovery/addresses.ts';
import { builtInGroupVersion } from '../server/discovery/group-version.ts';
import { installDiscovery } from '../server/discovery/install.ts';
import { DiscoveryRegistry } from '../server/discovery/registry.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import type { AuditOptions, Auditor } from '../server/access/audit/auditor.ts';
import { createAuditor } from '../server/access/audit/auditor.ts';
import { ErrorRenderer } from '../server/filters/errors.ts';
import { ChunkPool } from '../server/http/chunk.ts';
import type { HandlerContext } from '../server/endpoints/endpoint.ts';
import { ColumnDescriptions } from '../server/endpoints/column-descriptions.ts';
import { FieldManagers } from '../server/registry/field-managers.ts';
import { installFlagPage, installStatusPage } from '../server/routes/debug-pages.ts';
import { installHealth } from '../server/routes/health.ts';
import { FormCache } from '../server/object/form-cache.ts';
import type { Codecs } from '../server/object/codecs.ts';
import { createCodecs } from '../server/object/create-codecs.ts';
import { PathMux } from '../server/http/path-mux.ts';
import type { ResourceFactory } from '../server/registry/built-in.ts';
import { builtInResources, virtualResources } from '../server/registry/built-in.ts';
import { Cluster } from '../server/registry/cluster.ts';
import type { Representation } from '../server/object/representation.ts';
import { ResourceTable } from '../server/registry/resource-table.ts';
import type { Resource } from '../server/registry/resource.ts';
import { ServerWriter } from '../server/registry/server-writer.ts';
import { TypedRepresentation } from '../server/object/typed-representation.ts';
import { loadDescriptions } from '../server/openapi/load-descriptions.ts';
import { OpenApi } from '../server/openapi/open-api.ts';
import { RequestMetrics, installMetrics } from '../server/filters/request-metrics.ts';
import { installRootPaths } from '../server/routes/root-paths.ts';
import { ResourceRouter } from '../server/endpoints/router.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';
import { installVersion } from '../server/routes/version.ts';
import { resolveEndpoint } from '../server/webhook/endpoint-resolver.ts';
import type { ServiceResolver } from '../server/webhook/service-resolver.ts';
import { resolveService } from '../server/webhook/service-resolver.ts';
import { WebhookClient } from '../server/webhook/webhook-client.ts';
import type { StorageMediaType } from '../server/object/storage-format.ts';
import type { GroupResource } from '../machinery/errors.ts';
import type { Transformer } from '../storage/encryption/ciphers/transformer.ts';
import type { Storage } from '../storage/storage.ts';
import type { FieldDescriptions } from '../table/described.ts';
import type { KubeletOptions } from '../apis/common/kubelet.ts';
import { defaultKubeletOptions } from '../apis/common/kubelet.ts';
import type { PortRange } from '../apis/common/service-network/port-bitmap.ts';
import type { ServiceOptions } from '../apis/core/service/definition.ts';
import type { ApiPreferences } from './api-enablement.ts';
import { enabledApis, unservedKinds } from './api-enablement.ts';
import type { ClusterAuthentication } from './bootstrap/cluster-authentication.ts';
import { bootstrapHooks } from './bootstrap/bootstrap.ts';
import type { ControllerChoice } from './controller-names.ts';
import { EmbeddedControllers } from './embedded-controllers.ts';
import { healthChecks } from './health-checks.ts';
import { pluginDefinitions } from './plugins.ts';
import { resourceDefinitions } from './resources.ts';
import { delegate } from './server-chain.ts';
import type { Tokens } from '../server/registry/tokens.ts';

export interface ControlPlaneOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Logger;
  readonly features: FeatureGates;
  readonly serving: ServingOptions;
  readonly authenticate: Authenticator;
  /** bearer tokens: known, reviewed and issued; undefined: there are none */
  readonly tokens?: Tokens | undefined;
  /** made when the resources exist, since RBAC reads them */
  readonly authorizer: (cluster: Cluster) => Authorizer;
  /** which requests are recorded, and where; undefined: none are */
  readonly audit?: AuditOptions | undefined;
  /** --runtime-config; undefined: what is served by default */
  readonly apis?: ApiPreferences;
  /** which of the admission plugins run, by name; undefined: those that are on by default */
  readonly admissionPlugins?: (definition: PluginDefinition) => boolean;
  /** parts of --admission-control-config-file by plugin */
  readonly admissionConfiguration?: ReadonlyMap<string, unknown>;
  /** how long pods stay on nodes that are gone; undefined: the original's defaults */
  readonly tolerationSeconds?: PluginContext['tolerationSeconds'];
  /** --authorization-mode has RBAC: default roles and bindings are created */
  readonly rbac: boolean;
  /** prose for tables; default: what the build has */
  readonly descriptions?: () => Promise<FieldDescriptions>;
  /** flags in effect, for /flagz; undefined: the server has none */
  readonly flags?: () => ReadonlyMap<string, string>;
  readonly minRequestTimeoutSeconds: number;
  readonly storagePrefix: string;
  /** --service-cluster-ip-range: one range, or two of different families; default 10.0.0.0/24 */
  readonly serviceClusterIpRange?: readonly string[];
  /** --event-ttl; default an hour */
  readonly eventTtlSeconds?: number;
  /** --service-node-port-range; default 30000-32767 */
  readonly serviceNodePortRange?: PortRange;
  /** --advertise-address: where the cluster reaches this server; undefined: it does not, and the kubernetes service has no endpoints */
  readonly advertiseAddress?: string;
  /** how values are written to a store that others read too (etcd); undefined: our own JSON */
  readonly storageMediaType?: StorageMediaType;
  readonly encryption?: (resource: GroupResource) => Transformer;
  /** published for other API servers of the cluster; undefined: nothing to publish */
  readonly clusterAuthentication?: ClusterAuthentication;
  readonly aggregation?: AggregationOptions;
  /** how kubelets are reached; undefined: as the original does without flags */
  readonly kubelets?: KubeletOptions;
  /** which controllers run beside the server, which the original leaves to kube-controller-manager; default false */
  readonly controllers?: ControllerChoice;
  /** PEM of the authority that the serving certificate is from, for controllers to publish */
  readonly rootAuthority?: string | undefined;
  /** where discovery sends clients; without it, to the address the server listens on */
  readonly serverAddresses?: ServerAddresses;
}

/** How requests are passed on to other servers of the cluster. */
export interface AggregationOptions {
  /** --proxy-client-cert-file, --proxy-client-key-file */
  readonly client?: ClientCertificate | undefined;
  /** --enable-aggregator-routing */
  readonly endpointRouting: boolean;
  /** --aggregator-reject-forwarding-redirect */
  readonly rejectRedirects: boolean;
}

const component = 'kube-apiserver';
const defaultAggregation: AggregationOptions = { endpointRouting: false, rejectRedirects: true };
const defaultEventTtlSeconds = 3600;
const defaultServiceRange = '10.0.0.0/24';
const defaultNodePorts: PortRange = { first: 30000, size: 2768 };

interface ServiceNetwork extends ServiceOptions {
  readonly serviceRanges: readonly string[];
}

/** aggregator → kube-apiserver → apiextensions → 404, on one generic server. */
export class ControlPlane {
  readonly #builtIn = new ResourceTable();
  /** custom resources, which come and go */
  readonly #custom = new ResourceTable();
  readonly codecs: Codecs;
  readonly mux = new PathMux();
  readonly discovery = new DiscoveryRegistry();
  readonly openApi: OpenApi;
  readonly metrics = new MetricsRegistry();
  readonly #healthMetrics = new MetricsRegistry();
  readonly #server: ApiServer;
  readonly #auditor: Auditor | undefined;
  readonly #options: ControlPlaneOptions;
  readonly #aggregator: Aggregator;
  readonly #customResources: CustomResourceServer;
  readonly #served: readonly ServedGroupVersion[];
  readonly #port = Promise.withResolvers<number>();
  readonly #controllers: EmbeddedControllers | undefined;
  readonly #admission: Admission;
  readonly #webhooks: WebhookClient;
  readonly #outside: StreamingClient;
  #listening = '';

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
    const { log, clock, features, storage } = options;
    const codecs = (this.codecs = createCodecs());
    const shutdown = new AbortController();
    const cluster = new Cluster(
      (group, plural) => this.#builtIn.find(group, plural) ?? this.#custom.find(group, plural),
      () => this.#resources(),
    );
    const fieldManagers = new FieldManagers(new Shapes());
    const progress = new DefinitionProgress();
    const known = servedGroupVersions();
    const served = (this.#served = enabledApis(known, options.apis ?? new Map(), features, log));
    const unserved = unservedKinds(known, served);
    const factory: ResourceFactory = {
      codecs,
      storage,
      clock,
      log,
      storagePrefix: options.storagePrefix,
      ...(options.storageMediaType !== undefined && { storageMediaType: options.storageMediaType }),
      ...(options.encryption !== undefined && { encryption: options.encryption }),
    };
    this.#outside = new StreamingClient(clock);
    const outside = { client: this.#outside, kubelets: options.kubelets ?? defaultKubeletOptions };
    const definitions = [
      ...resourceDefinitions({
        services: this.#network,
        outside,
        features,
        eventTtlSeconds: options.eventTtlSeconds ?? defaultEventTtlSeconds,
      }),
      customResourceDefinitions(codecs, progress),
    ];
    const isServed = ({ group, names }: Resource): boolean =>
      !unserved.some((one) => one.group === group && one.resources.some(({ name }) => name === names.plural));
    for (const resource of builtInResources([...served, ...unserved], definitions, factory)) this.#builtIn.add(resource);
    const authorizer = options.authorizer(cluster);
    const writer = new ServerWriter({ cluster, clock, features, fieldManagers });
    this.#webhooks = new WebhookClient(this.#resolver(cluster), clock);
    const representations = new Map<string, Representation>();
    const representationOf = (gvk: GroupVersionKind): Representation => {
      const key = `${gvk.group}/${gvk.version}/${gvk.kind}`;
      let known = representations.get(key);
      if (known === undefined) representations.set(key, (known = new TypedRepresentation(gvk, codecs)));
      return known;
    };
    const admission = (this.#admission = new Admission(this.#plugins({ cluster, representationOf, authorizer, writer })));
    const context: HandlerContext = {
      codecs,
      features,
      cluster,
      clock,
      log,
      shutdown: shutdown.signal,
      forms: new FormCache(64 << 20),
      chunks: new ChunkPool(128 << 10, 16),
      descriptions: new ColumnDescriptions(options.descriptions ?? loadDescriptions),
      fieldManagers,
      minRequestTimeoutSeconds: options.minRequestTimeoutSeconds,
      typeOf: (apiVersion, kind) => {
        const type = codecs.schema.typeOf({ ...(parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion }), kind });
        if (type === undefined) throw new Error(`the schema has no ${apiVersion} ${kind}`);
        return type;
      },
      representationOf,
      tokens: options.tokens,
      authorizer,
      admission,
    };
    const router = new ResourceRouter(context);
    for (const resource of this.#builtIn) if (isServed(resource)) router.add(resource);
    for (const virtual of virtualResources(served, definitions, codecs)) router.addVirtual(virtual);

    for (const groupVersion of served) this.discovery.put(builtInGroupVersion(groupVersion));
    this.openApi = new OpenApi({
      schema: codecs.schema,
      served,
      info: { title: 'Kubernetes', version: `${kubernetesVersion.major}.${kubernetesVersion.minor}` },
      cbor: features.enabled('CBORServingAndStorage'),
      enums: features.enabled('OpenAPIEnums'),
      now: () => new Date(clock.now()),
    });
    const customRouter = new ResourceRouter(context);
    this.#customResources = new CustomResourceServer({
      router: customRouter,
      resources: this.#custom,
      progress,
      discovery: this.discovery,
      openApi: this.openApi.custom,
      context,
      factory,
      webhooks: this.#webhooks,
    });
    this.#aggregator = this.#aggregation(context, writer);
    const errors = new ErrorRenderer(codecs, log);
    this.#auditor = createAuditor(options.audit, { codecs, metrics: this.metrics, clock, log });
    this.#server = new ApiServer({
      api: delegate({ aggregator: this.#aggregator, kubeApiServer: router, apiExtensions: customRouter, paths: this.mux }),
      errors,
      authenticate: (request) => options.authenticate(request, context.cluster),
      authorizer,
      auditor: this.#auditor,
      constrainedImpersonation: features.enabled('ConstrainedImpersonation'),
      log,
      serving: options.serving,
      postStartHooks: this.#hooks(context),
      metrics: new RequestMetrics(this.metrics),
      shutdown,
    });
    if (options.controllers)
      this.#controllers = new EmbeddedControllers({
        choice: options.controllers,
        rootAuthority: options.rootAuthority,
        serverFor: (user) => this.#server.handlerFor(user),
        clock,
        log,
      });
    this.#installPaths();
  }

  async start(): Promise<AddressInfo> {
    const address = await this.#server.start();
    this.#listening = `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
    this.#port.resolve(address.port);
    try {
      await this.#server.whenReady();
      this.#controllers?.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
    return address;
  }

  /** Puts the store back in time by `change`; resolves when everything that this server remembers has followed. */
  async putBack(change: () => void): Promise<void> {
    const caches = this.#resources()
      .map(({ store }) => store.cache)
      .filter(({ isReady }) => isReady);
    change();
    const { storage } = this.#options;
    // Asked each time: controllers and clients write meanwhile.
    const behind = (revision: number): boolean => caches.some((cache) => !cache.isReady || cache.revision > revision);
    while (behind(await storage.currentRevision())) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async stop(): Promise<void> {
    await this.#controllers?.stop();
    await this.#server.stop();
    await this.#auditor?.close();
    this.#admission[Symbol.dispose]();
    this.#webhooks[Symbol.dispose]();
    this.#outside[Symbol.dispose]();
    this.#aggregator.stop();
    await this.#customResources.stop();
    for (const { store } of this.#resources()) await store.cache[Symbol.asyncDispose]();
  }

  #resources(): Resource[] {
    return [...this.#builtIn, ...this.#custom];
  }

  /** What services are given their addresses and ports from. */
  get #network(): ServiceNetwork {
    const { serviceClusterIpRange: ranges = [defaultServiceRange], serviceNodePortRange: nodePorts = defaultNodePorts } = this.#options;
    const families = ranges.map((range) => (range.includes(':') ? 'IPv6' : 'IPv4'));
    return { serviceRanges: ranges, families, nodePorts, storagePrefix: this.#options.storagePrefix };
  }

  /** How services outside are found: those of aggregated servers and of webhooks. */
  #resolver(cluster: Cluster): ServiceResolver {
    const { endpointRouting } = this.#options.aggregation ?? defaultAggregation;
    const resolve = endpointRouting ? resolveEndpoint : resolveService;
    return (namespace, name, port) => resolve(cluster, namespace, name, port);
  }

  #aggregation({ cluster, features, clock, log }: HandlerContext, writer: ServerWriter): Aggregator {
    const { client, rejectRedirects } = this.#options.aggregation ?? defaultAggregation;
    return new Aggregator({
      cluster,
      writer,
      discovery: this.discovery,
      openApi: this.openApi.aggregated,
      resolve: this.#resolver(cluster),
      client,
      rejectRedirects,
      remoteUid: features.enabled('RemoteRequestHeaderUID'),
      clock,
      log,
    });
  }

  #hooks({ cluster, fieldManagers }: HandlerContext): PostStartHook[] {
    const { clock, features, rbac, log, advertiseAddress: address } = this.#options;
    const authentication = this.#options.clusterAuthentication ?? { clientAuthorities: '' };
    const advertised = this.#port.promise.then((port) => ({ address, port }));
    const customResources: PostStartHook = { name: 'crd-informer-synced', run: () => this.#customResources.start() };
    const aggregator: PostStartHook = {
      name: 'start-kube-aggregator-informers',
      run: () => this.#aggregator.start(),
    };
    const availability: PostStartHook = {
      name: 'apiservice-status-local-available-controller',
      run: (signal) => Promise.resolve(this.#aggregator.followAvailability(signal)),
    };
    const served = this.#served;
    const bootstrap = { ...this.#network, served, cluster, clock, features, fieldManagers, rbac, log, advertised, authentication };
    return [customResources, aggregator, availability, ...bootstrapHooks(bootstrap)];
  }

  #plugins(parts: Pick<PluginContext, 'cluster' | 'representationOf' | 'authorizer' | 'writer'>): AdmissionPlugin[] {
    const { features, clock, log, admissionPlugins, admissionConfiguration, tolerationSeconds } = this.#options;
    const enabled = admissionPlugins ?? ((definition) => definition.enabledByDefault);
    return pluginDefinitions.filter(enabled).map((definition) =>
      createPlugin(definition, {
        ...parts,
        webhooks: this.#webhooks,
        features,
        clock,
        log: log.named(definition.name),
        tolerationSeconds,
        configuration: admissionConfiguration?.get(definition.name),
      }),
    );
  }

  #installPaths(): void {
    const { storage, log, tokens, rbac, flags, clock } = this.#options;
    const { live, ready } = healthChecks({
      storage: () => storage.health(),
      pendingHooks: () => this.#server.pendingHooks,
      without: new Set(rbac ? [] : ['rbac/bootstrap-roles']),
      shutdown: () => this.#checkShutdown(),
    });
    const failure = (failed: readonly string[], details: string): void =>
      log.info('health check failed', { failed: failed.join(','), details });
    installHealth(this.mux, '/healthz', live, failure);
    installHealth(this.mux, '/livez', live, failure);
    installHealth(this.mux, '/readyz', ready, failure);
    installMetrics(this.mux, this.metrics, this.#healthMetrics);
    installDiscovery(this.mux, {
      registry: this.discovery,
      codecs: this.codecs,
      addresses: () => this.#options.serverAddresses ?? { default: this.#listening },
    });
    this.openApi.install(this.mux);
    installVersion(this.mux);
    if (tokens?.openId !== undefined) installOpenId(this.mux, tokens.openId);
    if (flags !== undefined) installFlagPage(this.mux, component, flags);
    const { major, minor, patch } = kubernetesVersion;
    const emulation = `${major}.${minor}`;
    installStatusPage(this.mux, { component, startedAt: clock.now(), now: () => clock.now(), version: `${emulation}.${patch}`, emulation });
    installRootPaths(this.mux, this.discovery);
  }

  #checkShutdown(): void {
    if (this.#server.phase === 'shutdown-initiated') throw new Error('process is shutting down');
  }
}

// Upstream: k8s.io/kubernetes/cmd/kube-apiserver/app/server.go#CreateServerChain, k8s.io/kubernetes/pkg/controlplane/apiserver/{config,server}.go
import { RestClientMetrics } from '../server/webhook/rest-client-metrics.ts';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { CustomResourceServer } from '../apiextensions/custom-resource-server.ts';
import { customResourceDefinitions } from '../apiextensions/definition/definition.ts';
import { DefinitionProgress } from '../apiextensions/definition/progress.ts';
import { Aggregator } from '../aggregator/aggregator.ts';
import { AutoRegistration } from '../aggregator/auto-registration.ts';
import { FollowedTexts } from '../base/followed-text.ts';
import { StreamingClient } from '../base/https/streaming-client.ts';
import { NodeMetrics, registerProcessMetrics, registerRuntimeMetrics } from '../base/process/process-metrics.ts';
import { Owned } from '../base/owned.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import { servingAuthority } from '../base/tls/serving-authority.ts';
import { parseGroupVersion } from '../machinery/group-version.ts';
import type { GroupVersionKind } from '../machinery/type-model.ts';
import { Shapes } from '../patch/apply/shape.ts';
import type { ServedGroupVersion } from '../schema/resources.ts';
import type { Auditor } from '../server/access/audit/auditor.ts';
import { createAuditor } from '../server/access/audit/auditor.ts';
import type { LineWriter } from '../server/access/audit/log-backend.ts';
import type { Admission } from '../server/admission/admission.ts';
import { admissionOfOwnWrites } from '../server/admission/own-writes.ts';
import { ApiServer } from '../server/api-server.ts';
import { DiscoveryRegistry } from '../server/discovery/registry.ts';
import { ColumnDescriptions } from '../server/endpoints/column-descriptions.ts';
import { endpointMetrics } from '../server/endpoints/endpoint-metrics.ts';
import type { HandlerContext } from '../server/endpoints/endpoint.ts';
import { ResourceRouter } from '../server/endpoints/router.ts';
import { ErrorRenderer } from '../server/filters/errors.ts';
import { FilterMetrics } from '../server/filters/filter-metrics.ts';
import { RequestMetrics } from '../server/filters/request-metrics.ts';
import { SliceQueue } from '../base/slice-queue.ts';
import { ChunkPool } from '../server/http/chunk.ts';
import { PathMux } from '../server/http/path-mux.ts';
import type { Handler } from '../server/http/response.ts';
import { Deliveries } from '../server/endpoints/delivery-rounds.ts';
import { ActiveWatches } from '../server/lifecycle/active-watches.ts';
import { KnownPaths } from '../server/lifecycle/known-paths.ts';
import type { Codecs } from '../server/object/codecs.ts';
import { observeBuffers } from '../server/endpoints/buffer-metrics.ts';
import { EncodingCache } from '../server/object/encoding-cache.ts';
import type { VersionedKind } from '../server/object/versioned-kind.ts';
import { BuiltInVersionedKind } from '../server/object/built-in-versioned-kind.ts';
import { OpenApi } from '../server/openapi/open-api.ts';
import type { ResourceFactory, VirtualRegistration } from '../server/registry/built-in.ts';
import { builtInResources, virtualResources } from '../server/registry/built-in.ts';
import { ObjectReader } from '../server/registry/object-reader.ts';
import { FieldManagers } from '../server/registry/field-managers.ts';
import { TransformedStorage } from '../server/registry/transformed-storage.ts';
import { ResourceTable } from '../server/registry/resource-table.ts';
import type { Resource } from '../server/registry/resource.ts';
import { ServerWriter } from '../server/registry/server-writer.ts';
import type { Authorizer } from '../server/request/authorizer.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import { installOpenId } from '../server/routes/open-id.ts';
import { resolveEndpoint } from '../server/webhook/endpoint-resolver.ts';
import type { ServiceResolver } from '../server/webhook/service-resolver.ts';
import { resolveService } from '../server/webhook/service-resolver.ts';
import { certificateMetrics } from '../server/webhook/certificate-metrics.ts';
import { WebhookClient } from '../server/webhook/webhook-client.ts';
import { Pace } from '../storage/cache/pace.ts';
import type { Storage } from '../storage/storage.ts';
import { buildAdmission } from './admission.ts';
import { openAudit } from './auditing.ts';
import type { Authentication } from './authentication.ts';
import { openAuthentication } from './authentication.ts';
import type { Authorization } from './authorization.ts';
import { openAuthorization } from './authorization.ts';
import { identityOf, serverIdOf } from './bootstrap/identity-lease.ts';
import { storedForms } from './bootstrap/stored-form.ts';
import type { ServerConfig } from './config.ts';
import { ControlPlane } from './control-plane.ts';
import { installFlowControlPages } from '../server/routes/flow-control-pages.ts';
import { buildFlowControl } from './flow-control.ts';
import { EmbeddedControllers } from './embedded-controllers.ts';
import { createMetrics } from './metrics.ts';
import { installPaths } from './paths.ts';
import { resourceDefinitions } from './resources.ts';
import { delegate } from './server-chain.ts';
import type { Origin } from './origin.ts';
import { newOrigin } from './origin.ts';
import { registerParts } from './metrics-of-parts.ts';
import { serverHooks } from './server-hooks.ts';
import { registerServerMetrics } from './server-metrics.ts';
import type { ServerContext } from './server-context.ts';
import { secretLabels } from './secret-labels.ts';
import { serviceAddress } from './service-address.ts';
import { followedAuthorities, followedPair } from './followed-pair.ts';
import type { ServingTls } from './serving.ts';
import { KeyReader } from '../server/access/authn/service-account/keys.ts';
import { openTls, readSigner } from './serving.ts';
import { Snapshots } from './snapshots.ts';
import { openTracer } from './tracing.ts';
import type { StorageVersions } from './storage-versions/storage-versions.ts';
import type { Peers } from './peers.ts';
import { openPeers } from './peers.ts';
import type { OpenStorage } from './storage.ts';
import { isEtcd, openStorage } from './storage.ts';
import { installOwnPaths } from './own-paths.ts';
import { openWorkers, pagesOf, shareEntries } from './open-workers.ts';
import { shareOf } from './workers/thread.ts';
import type { Workers } from './workers/workers.ts';

/**
 * A server from its configuration, stage by stage. Each stage is given what those before it have made. What is wrong with files of the
 * configuration is found before a store is opened.
 */
export async function assemble(config: ServerConfig): Promise<ControlPlane> {
  const context = await createContext(config);
  try {
    const access = await openAccess(config, context);
    const storage = await openStorage(config.storage, context);
    const workers = await openWorkers(config.thread, storage.storage, context);
    const resources = buildResources(config, context, storage);
    shareEntries(config.thread, workers, resources.origin.written);
    access.authentication.legacyTracking.writeWith(secretLabels(resources));
    const authorizer = access.authorization.build(resources.reader, context.features);
    const admission = admissionStage(config, context, resources, authorizer);
    resources.writer.admitBy(admissionOfOwnWrites(admission.admission));
    const handlers = handlerContext(config, context, resources, { authorizer, admission, access, storage });
    const published = publishBuiltIn(context, resources);
    const registration = autoRegistration(context, resources);
    const extensions = extensionStage(context, { resources, admission, handlers, published, registration });
    const aggregator = aggregationStage(config, context, { resources, admission, published });
    const leaseStorage = new TransformedStorage(resources.factory).storage;
    const { storagePrefix } = storage;
    const peers = await openPeers(config, context, { ...resources, ...published, leaseStorage, storagePrefix, serverId: context.identity });
    const storageVersions = await openStorageVersions(context, resources, context.identity);
    return handlerStage(config, context, {
      workers,
      storageVersions,
      access,
      authorizer,
      storage,
      resources,
      handlers,
      published,
      extensions,
      registration,
      aggregator,
      leaseStorage,
      peers,
      admission: admission.admission,
    });
  } catch (error) {
    await context.owned[Symbol.asyncDispose]();
    throw error;
  }
}

async function createContext({ clock, log, resources, metrics: shown, egress, origin }: ServerConfig): Promise<ServerContext> {
  const { features } = resources;
  const metrics = createMetrics(shown, features);
  const owned = new Owned();
  metrics.onFirstLook(() => registerServerMetrics(metrics, features, resources.version));
  for (const register of [registerParts, registerProcessMetrics, registerRuntimeMetrics]) metrics.onFirstLook(register);
  owned.use(new NodeMetrics(metrics));
  const onError = (error: Error, file: string): void =>
    log.error('file could not be loaded anew; what it held before stays', { file, err: error });
  return {
    clock,
    log,
    metrics,
    texts: owned.use(new FollowedTexts({ clock, onError })),
    keyReader: origin?.keyReader ?? new KeyReader(),
    identity: origin?.identity ?? identityOf(hostname()),
    // Loaded only when it is asked for: gRPC is part of it.
    egress: egress.file === undefined ? {} : (await import('./egress.ts')).openEgress(egress.file, metrics, owned),
    features,
    owned,
  };
}

interface Access {
  readonly tls: ServingTls;
  readonly authentication: Authentication;
  readonly authorization: Authorization;
  readonly auditor: (codecs: Codecs) => Auditor | undefined;
  readonly auditLog: LineWriter | undefined;
  readonly tracer: Tracer;
}

/** Who may come in, and what is written down of it. */
async function openAccess(config: ServerConfig, context: ServerContext): Promise<Access> {
  const { clock, log, metrics, texts } = context;
  const { clientAuthorities, frontProxy } = config.authentication;
  const authorities = [clientAuthorities, frontProxy?.authorities].filter((source) => source !== undefined);
  const { address, advertiseAddress = address } = config.serving;
  const tls = openTls(config.serving, authorities, [advertiseAddress, serviceAddress(config.services.ranges)], texts, {
    log,
    isProven: config.origin !== undefined,
  });
  const authorization = openAuthorization(config.authorization, context);
  const allowsEverything = authorization.types.includes('AlwaysAllow');
  const authentication = await openAuthentication(config.authentication, allowsEverything, context);
  const { thread } = config;
  const audit = await openAudit(config.auditing, context, thread.role === 'further' ? thread.first.auditLog : undefined);
  const tracer = openTracer(config.observability.tracingFile, context.identity, context);
  return {
    tls,
    authentication,
    authorization,
    tracer,
    auditor: (codecs) => createAuditor(audit, { codecs, metrics, clock, log }),
    auditLog: audit?.writer,
  };
}

export interface Resources {
  readonly codecs: Codecs;
  readonly builtIn: ResourceTable;
  /** they come and go */
  readonly custom: ResourceTable;
  readonly reader: ObjectReader;
  readonly served: readonly ServedGroupVersion[];
  /** what could be served */
  readonly known: readonly ServedGroupVersion[];
  /** built-in resources that clients get to see */
  readonly visible: readonly Resource[];
  readonly virtual: readonly VirtualRegistration[];
  readonly factory: ResourceFactory;
  /** of objects, and of parts of lists */
  readonly encodings: EncodingCache;
  readonly listRuns: EncodingCache;
  /** what a copy of this server goes on from */
  readonly origin: Origin;
  readonly fieldManagers: FieldManagers;
  readonly writer: ServerWriter;
  readonly progress: DefinitionProgress;
}

/** Every kind with its store and cache. */
function buildResources(config: ServerConfig, context: ServerContext, opened: OpenStorage): Resources {
  const { clock, log, metrics, features, egress, owned } = context;
  const origin = config.origin ?? newOrigin(config.resources, context);
  const { codecs, known, served, unserved } = origin;
  const builtIn = new ResourceTable();
  const custom = new ResourceTable();
  const reader = new ObjectReader(
    (group, plural) => builtIn.find(group, plural) ?? custom.find(group, plural),
    () => [...builtIn, ...custom],
    origin.recent,
  );
  const progress = new DefinitionProgress();
  const encodings = owned.use(new EncodingCache(origin.encodingBudget, clock));
  const listRuns = owned.use(new EncodingCache(origin.encodingBudget / 8, clock));
  const factory: ResourceFactory = {
    ...opened,
    codecs,
    clock,
    log,
    metrics,
    pace: new Pace(),
    replaced: (entry) => {
      encodings.forget(entry);
      listRuns.forget(entry);
    },
    written: origin.written,
    garbageCollection: config.resources.garbageCollection,
  };
  const { kubelets, services } = config;
  const client = owned.use(new StreamingClient(clock, { dial: egress.cluster, bytesPerSecond: config.serving.streamBytesPerSecond }));
  const kubeletClient = followedPair(kubelets.client, context.texts);
  const kubeletAuthorities = kubelets.authorities && followedAuthorities(kubelets.authorities, context.texts);
  const definitions = [
    ...resourceDefinitions({
      ...config.resources,
      features,
      metrics,
      services: { ...services, storagePrefix: opened.storagePrefix },
      outgoing: {
        client,
        kubelets: {
          ...kubelets,
          get authorities() {
            return kubeletAuthorities && kubeletAuthorities();
          },
          get client() {
            return kubeletClient();
          },
        },
      },
    }),
    customResourceDefinitions(codecs, progress),
  ];
  owned.defer(async () => {
    for (const { store } of builtIn) await store.closeCache();
  });
  for (const resource of builtInResources(origin.facts.values(), definitions, factory)) builtIn.add(resource);
  const isServed = ({ group, names }: Resource): boolean =>
    !unserved.some((one) => one.group === group && one.resources.some(({ name }) => name === names.plural));
  const report = (error: Error): void => log.error('[SHOULD NOT HAPPEN] failed to update managedFields', { err: error });
  const fieldManagers = new FieldManagers(new Shapes(), report);
  return {
    codecs,
    builtIn,
    custom,
    reader,
    served,
    known,
    visible: [...builtIn].filter(isServed),
    virtual: virtualResources(origin.facts, definitions, codecs),
    factory,
    encodings,
    listRuns,
    origin,
    fieldManagers,
    writer: new ServerWriter({ reader, clock, features, capabilities: config.resources, fieldManagers, storedForm: storedForms() }),
    progress,
  };
}

interface AdmissionStage {
  readonly admission: Admission;
  readonly webhooks: WebhookClient;
  /** how services are found: those of aggregated servers and of webhooks */
  readonly resolve: ServiceResolver;
  readonly versionedKindOf: (gvk: GroupVersionKind) => VersionedKind;
}

function admissionStage(config: ServerConfig, context: ServerContext, resources: Resources, authorizer: Authorizer): AdmissionStage {
  const { clock, log, metrics, features, egress, owned } = context;
  const { reader, codecs, writer } = resources;
  const resolveBy = config.aggregation.endpointRouting ? resolveEndpoint : resolveService;
  const resolve: ServiceResolver = (namespace, name, port) => resolveBy(reader, namespace, name, port);
  const webhooks = owned.use(
    new WebhookClient(resolve, clock, {
      log,
      services: egress.cluster,
      urls: egress.controlplane,
      metrics: certificateMetrics(metrics, 'webhooks'),
      requests: new RestClientMetrics(metrics),
    }),
  );
  const known = new Map<string, VersionedKind>();
  const versionedKindOf = (gvk: GroupVersionKind, alsoAccepted: readonly string[] = []): VersionedKind => {
    const key = [gvk.group, gvk.version, gvk.kind, ...alsoAccepted].join('/');
    let versionedKind = known.get(key);
    if (versionedKind === undefined)
      known.set(key, (versionedKind = new BuiltInVersionedKind(gvk, codecs, undefined, false, alsoAccepted)));
    return versionedKind;
  };
  const parts = { reader, authorizer, writer, webhooks, versionedKindOf, features, clock, log, metrics, serverId: serverIdOf(context) };
  return { admission: owned.use(buildAdmission(config.admission, parts)), webhooks, resolve, versionedKindOf };
}

interface Handlers {
  readonly context: HandlerContext;
  readonly watches: ActiveWatches;
}

/** What all verb handlers share. */
function handlerContext(
  config: ServerConfig,
  { clock, log, metrics, features }: ServerContext,
  { codecs, reader, writer, builtIn, fieldManagers, encodings, listRuns }: Resources,
  { authorizer, admission, access, storage }: { authorizer: Authorizer; admission: AdmissionStage; access: Access; storage: OpenStorage },
): Handlers {
  const watches = new ActiveWatches();
  const chunks = new ChunkPool(128 << 10, 64);
  observeBuffers(metrics, chunks, [encodings, listRuns]);
  const context: HandlerContext = {
    codecs,
    features,
    capabilities: config.resources,
    reader,
    clock,
    log,
    metrics,
    watches,
    deliveries: new Deliveries(),
    observed: endpointMetrics(metrics),
    encodings,
    listRuns,
    chunks,
    slices: new SliceQueue(),
    descriptions: new ColumnDescriptions(config.observability.descriptions),
    fieldManagers,
    minRequestTimeoutSeconds: config.serving.minRequestTimeoutSeconds,
    isCached: cachedResources(config.storage, builtIn),
    deleteCollectionWorkers: config.resources.deleteCollectionWorkers,
    typeOf: (apiVersion, kind) => {
      const type = codecs.schema.typeOf({ ...(parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion }), kind });
      if (type === undefined) throw new Error(`the schema has no ${apiVersion} ${kind}`);
      return type;
    },
    versionedKindOf: admission.versionedKindOf,
    tokens: access.authentication.tokens,
    own: writer,
    authorizer,
    storagePrefix: storage.storagePrefix,
    admission: admission.admission,
  };
  return { context, watches };
}

/** Which resources are served as from a watch cache. Sizes are about built-in resources alone. */
function cachedResources({ watchCache, uncached }: ServerConfig['storage'], builtIn: ResourceTable): (resource: Resource) => boolean {
  if (!watchCache || uncached.length === 0) return () => watchCache;
  const named = new Set(uncached.map(({ group, resource }) => builtIn.find(group, resource)));
  return (resource) => !named.has(resource);
}

interface Published {
  readonly discovery: DiscoveryRegistry;
  readonly openApi: OpenApi;
}

/** What clients can find out about built-in resources. */
function publishBuiltIn({ clock }: ServerContext, { origin }: Resources): Published {
  const discovery = new DiscoveryRegistry();
  for (const groupVersion of origin.discovered) discovery.put(groupVersion);
  const openApi = new OpenApi(origin.documents, () => new Date(clock.now()));
  return { discovery, openApi };
}

export interface Extensions {
  readonly router: ResourceRouter;
  readonly server: CustomResourceServer;
}

/** Custom resources. */
function extensionStage(
  { owned }: ServerContext,
  {
    resources,
    admission,
    handlers,
    published,
    registration,
  }: {
    resources: Resources;
    admission: AdmissionStage;
    handlers: Handlers;
    published: Published;
    registration: AutoRegistration;
  },
): Extensions {
  const router = new ResourceRouter(handlers.context);
  const server = new CustomResourceServer({
    router,
    resources: resources.custom,
    progress: resources.progress,
    discovery: published.discovery,
    openApi: published.openApi.custom,
    context: handlers.context,
    writer: resources.writer,
    factory: resources.factory,
    webhooks: admission.webhooks,
    groupChanged: (group, versions) => registration.setCustom(group, versions),
  });
  owned.defer(() => server.stop());
  return { router, server };
}

/** APIServices of what this server itself serves. */
function autoRegistration({ clock, log, metrics }: ServerContext, { reader, writer, served }: Resources): AutoRegistration {
  const builtIn = served.flatMap(({ group, version, groupPriority, versionPriority }) =>
    groupPriority === undefined || versionPriority === undefined ? [] : [{ group, version, groupPriority, versionPriority }],
  );
  return new AutoRegistration({ reader, writer, clock, log, metrics }, builtIn);
}

/** Other servers of the cluster behind this one. */
function aggregationStage(
  config: ServerConfig,
  { clock, log, metrics, features, texts, egress, owned }: ServerContext,
  { resources, admission, published }: { resources: Resources; admission: AdmissionStage; published: Published },
): Aggregator {
  const client = followedPair(config.aggregation.client, texts);
  const aggregator = new Aggregator({
    reader: resources.reader,
    writer: resources.writer,
    discovery: published.discovery,
    openApi: published.openApi.aggregated,
    resolve: admission.resolve,
    get client() {
      return client();
    },
    dial: egress.cluster,
    rejectRedirects: config.aggregation.rejectRedirects,
    remoteUid: features.enabled('RemoteRequestHeaderUID'),
    metrics,
    clock,
    log,
  });
  owned.defer(() => aggregator.stop());
  return aggregator;
}

export interface Parts {
  /** undefined: no StorageVersions are kept */
  readonly storageVersions: StorageVersions | undefined;
  /** undefined: this thread starts no others */
  readonly workers: Workers | undefined;
  readonly access: Access;
  readonly authorizer: Authorizer;
  readonly storage: OpenStorage;
  readonly resources: Resources;
  readonly handlers: Handlers;
  readonly published: Published;
  readonly extensions: Extensions;
  readonly registration: AutoRegistration;
  readonly aggregator: Aggregator;
  /** of leases of API servers: the main one, whichever that of endpoints is */
  readonly leaseStorage: Storage;
  readonly peers: Peers;
  readonly admission: Admission;
}

/** Loaded only when its gate is on. */
async function openStorageVersions(
  { clock, log, features }: ServerContext,
  { reader, writer, served, known }: Resources,
  serverId: string,
): Promise<StorageVersions | undefined> {
  if (!features.enabled('StorageVersionAPI') || !features.enabled('APIServerIdentity')) return undefined;
  const { StorageVersions: Opened } = await import('./storage-versions/storage-versions.ts');
  return new Opened({ reader, writer, served, known, clock, log, serverId });
}

/** aggregator → kube-apiserver → apiextensions → other paths, behind the filters, on one listener. */
function handlerStage(config: ServerConfig, context: ServerContext, parts: Parts): ControlPlane {
  const { clock, log, metrics, features, owned } = context;
  const { access, authorizer, storage, resources, handlers, published, extensions, aggregator } = parts;
  const { codecs, reader, visible, virtual } = resources;
  const router = new ResourceRouter(handlers.context);
  for (const resource of visible) router.add(resource);
  for (const one of virtual) router.addVirtual(one);
  const mux = new PathMux();
  const knownPaths = new KnownPaths();
  const { notFound } = knownPaths;
  const listening = Promise.withResolvers<AddressInfo>();
  const auditor = access.auditor(codecs);
  owned.defer(() => auditor?.close());
  const hasRbac = access.authorization.types.includes('RBAC');
  const { authenticate } = access.authentication;
  const flowControl = buildFlowControl(threadShare(config), context, { reader, requestTimeoutMs: config.serving.requestTimeoutMs });
  if (flowControl.controller !== undefined) installFlowControlPages(mux, flowControl.controller);
  const ready = Promise.withResolvers<void>();
  const hooks = serverHooks(config, context, parts, {
    hasRbac,
    flowControl,
    listening: listening.promise,
    ready: ready.promise,
    knownPaths,
  });
  const tracer = access.tracer;
  const proxy = parts.peers.proxy;
  const delegated = delegate({
    peers: proxy,
    aggregator,
    kubeApiServer: router,
    apiExtensions: extensions.router,
    paths: mux,
    notFound: config.thread.role === 'only' ? notFound : afterOthers(extensions, notFound),
  });
  const errors = new ErrorRenderer(codecs, log);
  const server = new ApiServer({
    flowControl: flowControl.filter,
    tracer,
    api: parts.storageVersions?.filter(delegated) ?? delegated,
    errors,
    authenticate: (request) => authenticate(request, reader),
    authorizer,
    auditor,
    constrainedImpersonation: features.enabled('ConstrainedImpersonation'),
    limitStrangers: features.enabled('UnauthenticatedHTTP2DOSMitigation'),
    log,
    serving: { ...config.serving, tls: access.tls.options, tlsIsProven: config.origin !== undefined },
    postStartHooks: hooks.postStart,
    preShutdownHooks: hooks.preShutdown,
    metrics: new RequestMetrics(metrics, ({ group, version, resource }) =>
      [router, extensions.router].some((one) => one.endpoint(group, version, resource) !== undefined),
    ),
    filterMetrics: new FilterMetrics(metrics),
    watches: handlers.watches,
  });
  owned.defer(() => server.stop());
  access.tls.follow((options) => server.setSecureContext(options));
  const addresses = installPaths(mux, config, context, {
    server,
    storage: storage.storage,
    encryptionChecks: storage.encryptionChecks,
    otherStores: storage.others,
    peers: parts.peers,
    codecs,
    registration: parts.registration,
    loading: () => [...resources.builtIn, ...resources.custom].flatMap(loadingName),
    notFound,
    workers: parts.workers,
    ...published,
  });
  const snapshots = new Snapshots({
    ...storage,
    caches: () => [...resources.builtIn, ...resources.custom].flatMap(({ store }) => (store.hasCache ? [store.cache] : [])),
    definitionsServed: () => extensions.server.current(),
  });
  installOwnPaths(mux, config.wheelhouse, { ...storage, snapshots, clock });
  if (config.thread.role === 'further') config.thread.first.takeOver(mux);
  parts.workers?.serve({ page: pagesOf(errors.filter()(mux.handler(notFound))), auditLog: access.auditLog });
  const controllers =
    config.controllers === false
      ? undefined
      : new EmbeddedControllers({
          choice: config.controllers,
          garbageCollection: config.resources.garbageCollection,
          rootAuthority: () => servingAuthority(access.tls.options),
          signSecretToken: access.authentication.tokens.issuer?.issueForSecret,
          signer: readSigner(config.certificateSigning),
          unusedTokenMs: config.legacyTokens.cleanUpPeriodMs,
          serverFor: (user) => server.handlerFor(user),
          shared: isEtcd(config.storage.backend) ? resources : undefined,
          clock,
          log,
          metrics,
        });
  owned.defer(() => controllers?.stop());
  const started = (address: AddressInfo): void => {
    addresses.listening(address);
    const documents = access.authentication.openIdDocuments(addresses.own());
    if (documents !== undefined) installOpenId(mux, documents);
    listening.resolve(address);
  };
  return new ControlPlane({
    config,
    context,
    server,
    snapshots,
    controllers,
    started,
    ready: ready.resolve,
    origin: resources.origin,
  });
}

/** What another thread has begun to serve is served here, too, before it is said not to exist. */
function afterOthers({ server, router }: Extensions, notFound: Handler): Handler<AuthenticatedRequest> {
  const again = router.handler(notFound);
  return async (request) => {
    await server.current();
    return again(request);
  };
}

/** Limits are those of the process. */
function threadShare({ flowControl, thread }: ServerConfig): ServerConfig['flowControl'] {
  return { ...flowControl, maxReads: shareOf(flowControl.maxReads, thread), maxWrites: shareOf(flowControl.maxWrites, thread) };
}

function loadingName({ store, groupResource: { group, resource } }: Resource): string[] {
  return store.hasCache && store.cache.isLoading ? [group === '' ? resource : `${resource}.${group}`] : [];
}

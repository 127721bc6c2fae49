// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/{apiserver,customresource_handler}.go
import { Slices } from '../base/slices.ts';
import type { HandlerContext } from '../server/endpoints/endpoint.ts';
import type { CustomSource } from '../server/openapi/custom-source.ts';
import type { DiscoveryRegistry } from '../server/discovery/registry.ts';
import type { ResourceFactory } from '../server/registry/built-in.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import { follow } from '../server/registry/follow.ts';
import type { ServerWriter } from '../server/registry/server-writer.ts';
import type { ResourceTable } from '../server/registry/resource-table.ts';
import type { Resource } from '../server/registry/resource.ts';
import type { ResourceRouter } from '../server/endpoints/router.ts';
import { deepEqual } from '../machinery/deep-equal.ts';
import type { WebhookClient } from '../server/webhook/webhook-client.ts';
import { converterOf } from './conversion/converter.ts';
import type { CustomResourceDefinition } from './conditions/conditions.ts';
import { isConditionTrue } from './conditions/conditions.ts';
import { cleanupFinalizer } from './definition/definition.ts';
import type { DefinitionProgress } from './definition/progress.ts';
import type { ServedDefinition } from './serving/custom-resource.ts';
import { serveDefinition } from './serving/custom-resource.ts';
import { updateDefinition } from './serving/definition-writer.ts';
import { publishGroup } from './serving/discovery.ts';
import { documentedKinds } from './serving/documented-kinds.ts';
import { Finalizer } from './serving/finalizer.ts';
import { acceptNames, establish } from './serving/naming.ts';
import { Retirement, dispose } from './serving/retirement.ts';
import { structuralCondition, updatePolicyConditions } from './serving/policy-conditions.ts';

const retryMs = 1000;
const longestRetryMs = 60_000;

export interface CustomResourceServerOptions {
  readonly router: ResourceRouter;
  readonly discovery: DiscoveryRegistry;
  readonly openApi: CustomSource;
  /** what is served, for parts of the server that read it */
  readonly resources: ResourceTable;
  /** hears of it when a definition was written through this server */
  readonly progress: DefinitionProgress;
  readonly context: HandlerContext;
  /** with which states of definitions are written */
  readonly writer: ServerWriter;
  readonly factory: ResourceFactory;
  /** for definitions whose versions a webhook converts */
  readonly webhooks: WebhookClient;
  /** hears which versions of a group definitions serve, whenever that may have changed */
  readonly groupChanged: (group: string, versions: ReadonlySet<string>) => void;
}

/**
 * Serves what CustomResourceDefinitions define. Follows the definitions as they are stored, by whichever server: sets their conditions,
 * routes their resources, shows them in discovery. The response to a write of a definition through this server waits for all of that.
 */
export class CustomResourceServer {
  readonly #definitions = new Map<string, CustomResourceDefinition>();
  readonly #served = new Map<string, ServedDefinition>();
  /** definitions as clients see them in discovery and documents */
  readonly #published = new Map<string, CustomResourceDefinition>();
  readonly #pending = new Set<string>();
  /** groups of which clients do not see yet what they have become */
  readonly #unpublished = new Set<string>();
  readonly #options: CustomResourceServerOptions;
  readonly #writer: ServerWriter;
  readonly #finalizer: Finalizer;
  readonly #retirement: Retirement;
  readonly #started = Promise.withResolvers<void>();
  #working: Promise<void> | undefined;
  /** what was stored before has been seen */
  #isCurrent = false;
  readonly #stopping = new AbortController();
  /** of definitions that could not be served, until they are */
  readonly #failures = new Map<string, { readonly count: number; readonly timer: Disposable }>();

  constructor(options: CustomResourceServerOptions) {
    this.#options = options;
    this.#writer = options.writer;
    this.#finalizer = new Finalizer(options.context, options.writer);
    this.#retirement = new Retirement(options.context.clock);
  }

  /** Resolves when every definition that was there at the start is served. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves when every definition that is stored is served. */
  async start(): Promise<void> {
    this.#options.progress.follow((name) => this.#settled(name));
    await this.#follow();
    await this.#idle();
    this.#started.resolve();
  }

  /** Watches the definitions. Resolves when all that are there have been seen; those that were there before and are no more are forgotten. */
  async #follow(): Promise<void> {
    const resource = this.#kind();
    const {
      log,
      clock,
      watches: { ending: shutdown },
    } = this.#context();
    await follow({
      name: 'CustomResourceDefinitions',
      resource,
      initialEvents: true,
      event: (type, entry, isInitial) => (type === 'DELETED' ? this.#forget(entry) : this.#remember(entry, isInitial)),
      caughtUp: (keys) => {
        this.#isCurrent = true;
        for (const name of this.#definitions.keys()) if (!keys.has(resource.store.key('', name))) this.#drop(name);
      },
      signal: AbortSignal.any([this.#stopping.signal, shutdown]),
      clock,
      log,
    });
  }

  /** Resolves when every definition that is stored now is served, and no other. */
  async current(): Promise<void> {
    if (!this.#isCurrent) return;
    await this.#kind().store.cache.fresh();
    while (this.#pending.size > 0 || this.#working !== undefined) await this.#idle();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#finalizer.stop();
    for (const { timer } of this.#failures.values()) timer[Symbol.dispose]();
    await this.#idle();
    await this.#retirement.stop();
    for (const served of this.#served.values()) await dispose(served);
  }

  async #settled(name: string): Promise<void> {
    // Until all that was there is followed nothing is served; afterwards everything will be.
    if (!this.#isCurrent) return;
    await this.#kind().store.cache.fresh();
    while (this.#pending.has(name) || this.#working !== undefined) await this.#idle();
  }

  #remember(entry: StoredEntry, isInitial: boolean): void {
    const definition = this.#kind().store.parse(entry) as CustomResourceDefinition;
    const name = definition.metadata.name ?? '';
    const known = this.#definitions.get(name);
    // Our own writes come back as events when we have long gone on.
    const isOld = known !== undefined && known.metadata.uid === definition.metadata.uid && revisionOf(known) >= entry.revision;
    if (isInitial || !isOld) {
      this.#definitions.set(name, definition);
      this.#enqueue(name);
    }
  }

  #forget(entry: StoredEntry): void {
    const { name = '', uid } = this.#kind().store.parse(entry).metadata;
    if (this.#definitions.get(name)?.metadata.uid === uid) this.#drop(name);
  }

  #drop(name: string): void {
    this.#definitions.delete(name);
    this.#enqueue(name);
  }

  #enqueue(name: string): void {
    this.#pending.add(name);
    this.#startWorking();
  }

  #startWorking(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // What came after the last look and before this.
      if (this.#pending.size > 0) this.#startWorking();
    });
  }

  async #idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    const slices = new Slices();
    for (const name of this.#pending) {
      this.#pending.delete(name);
      await slices.pause();
      try {
        await this.#sync(name);
        this.#failures.delete(name);
      } catch (error) {
        this.#context().log.error('CustomResourceDefinition could not be served', { name, err: error });
        this.#again(name);
      }
    }
    // Once for all of them: a group has many definitions, and a start finds all at the same time.
    for (const group of this.#unpublished) {
      this.#publish(group);
      await slices.pause();
    }
  }

  /** What the store or admission refuses now it may take later. */
  #again(name: string): void {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const { count = 0, timer: before } = this.#failures.get(name) ?? {};
    before?.[Symbol.dispose]();
    const delay = Math.min(retryMs * 2 ** count, longestRetryMs);
    this.#failures.set(name, { count: count + 1, timer: this.#context().clock.setTimeout(() => this.#enqueue(name), delay) });
  }

  async #sync(name: string): Promise<void> {
    const definition = this.#definitions.get(name);
    if (definition === undefined) {
      this.#unserve(name);
      this.#published.delete(name);
      const group = name.slice(name.indexOf('.') + 1);
      this.#unpublished.add(group);
      this.#reconsiderNames(group, name);
      return;
    }
    const current = await this.#updateStatus(name, definition);
    if (current === undefined) return;
    this.#serve(name, current);
    const published = this.#published.get(name);
    if (published === undefined || !isServedAlike(published, current)) {
      this.#published.set(name, current);
      this.#unpublished.add(current.spec.group);
    }
    if (current.metadata.deletionTimestamp !== undefined && current.metadata.finalizers?.includes(cleanupFinalizer)) {
      this.#finalizer.finalize(current, this.#served.get(name)?.storage);
    }
  }

  /** Sets conditions and accepted names. Undefined: the definition is gone, or changed again, and an event will tell. */
  async #updateStatus(name: string, definition: CustomResourceDefinition): Promise<CustomResourceDefinition | undefined> {
    const structural = structuralCondition(definition);
    const change = (next: CustomResourceDefinition, now: string): boolean => {
      const isSameSpec = next.metadata.generation === definition.metadata.generation;
      const named = acceptNames(next, this.#sameGroup(next), now);
      const established = establish(next, now);
      return [named, established, updatePolicyConditions(next, isSameSpec ? structural : structuralCondition(next), now)].includes(true);
    };
    const { clock } = this.#context();
    // Only the status changes; schemas are large.
    if (!change({ ...definition, status: structuredClone(definition.status) }, new Date(clock.now()).toISOString())) return definition;
    const updated = await updateDefinition(this.#writer, this.#kind(), name, definition.metadata.uid ?? '', change);
    if (updated === undefined) return undefined;
    this.#definitions.set(name, updated);
    if (!deepEqual(updated.status.acceptedNames, definition.status.acceptedNames)) this.#reconsiderNames(updated.spec.group, name);
    return updated;
  }

  #sameGroup({ spec }: CustomResourceDefinition): CustomResourceDefinition[] {
    return [...this.#definitions.values()].filter((other) => other.spec.group === spec.group);
  }

  /** Names may have been released that others have been waiting for. */
  #reconsiderNames(group: string, except: string): void {
    for (const [name, { spec, status }] of this.#definitions) {
      if (spec.group === group && name !== except && !deepEqual(spec.names, status.acceptedNames)) this.#enqueue(name);
    }
  }

  #serve(name: string, definition: CustomResourceDefinition): void {
    const served = this.#served.get(name);
    if (!isConditionTrue(definition, 'NamesAccepted') && !isConditionTrue(definition, 'Established')) return this.#unserve(name);
    if (served !== undefined && isServedAlike(served.definition, definition)) return;
    const { router, resources, discovery, factory, webhooks } = this.#options;
    const next = serveDefinition(definition, factory, converterOf(definition, webhooks, factory.metrics));
    // In one turn: no request finds nothing in between.
    this.#unserve(name);
    // Below a built-in group all paths are built-in ones.
    const isReachable = !discovery.isBuiltIn(definition.spec.group);
    for (const { resource, versionedKind } of next.versions) {
      resources.add(resource);
      if (isReachable) router.add(resource, [versionedKind]);
    }
    this.#served.set(name, next);
  }

  #unserve(name: string): void {
    const served = this.#served.get(name);
    if (served === undefined) return;
    this.#served.delete(name);
    const { router, resources } = this.#options;
    const idle = served.versions.map(({ resource }) => {
      resources.remove(resource);
      return router.remove(resource);
    });
    this.#retirement.retire(served, Promise.all(idle));
  }

  #publish(group: string): void {
    const { discovery, openApi, groupChanged } = this.#options;
    this.#unpublished.delete(group);
    const definitions = [...this.#definitions.values()].filter(({ spec }) => spec.group === group);
    publishGroup(discovery, group, definitions);
    const served = definitions.flatMap(({ spec }) => spec.versions ?? []).filter((version) => version.served);
    groupChanged(group, new Set(served.map(({ name }) => name)));
    openApi.publishGroup(group, definitions.flatMap(documentedKinds));
  }

  #kind(): Resource {
    return this.#context().reader.resource('apiextensions.k8s.io', 'customresourcedefinitions');
  }

  #context(): HandlerContext {
    return this.#options.context;
  }
}

/** Nothing that serving depends on has changed. */
function isServedAlike(one: CustomResourceDefinition, other: CustomResourceDefinition): boolean {
  const isTerminating = (definition: CustomResourceDefinition): boolean =>
    definition.metadata.deletionTimestamp !== undefined || isConditionTrue(definition, 'Terminating');
  return (
    one.metadata.uid === other.metadata.uid &&
    isTerminating(one) === isTerminating(other) &&
    isConditionTrue(one, 'Established') === isConditionTrue(other, 'Established') &&
    deepEqual(one.spec, other.spec) &&
    deepEqual(one.status.acceptedNames, other.status.acceptedNames)
  );
}

function revisionOf({ metadata }: CustomResourceDefinition): number {
  return Number(metadata.resourceVersion ?? 0);
}

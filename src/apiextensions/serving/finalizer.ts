// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go
import { isReason } from '../../machinery/errors.ts';
import type { HandlerContext } from '../../server/endpoints/endpoint.ts';
import { watchResource } from '../../server/registry/follow.ts';
import type { Resource } from '../../server/registry/resource.ts';
import type { CustomResourceDefinition, StatedCondition } from '../conditions/conditions.ts';
import { isConditionTrue, setCondition } from '../conditions/conditions.ts';
import { cleanupFinalizer } from '../definition/definition.ts';
import { ServerWriter } from '../../server/registry/server-writer.ts';
import { updateDefinition } from './definition-writer.ts';

/** Built-in kinds that are kept where instances of a definition of their name would be. */
const overlappingBuiltIn: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** A client that deletes a definition sees it marked before its end; so do clients that watch it. */
const beginAfterMs = 100;
const retryMs = 1000;
const longestRetryMs = 60_000;

/** Deletes the instances of definitions that are being deleted, then lets the definitions go. */
export class Finalizer {
  readonly #context: HandlerContext;
  readonly #writer: ServerWriter;
  /** instances go without admission, as with upstream */
  readonly #instances: ServerWriter;
  readonly #running = new Map<string, Disposable>();

  constructor(context: HandlerContext, writer: ServerWriter) {
    this.#context = context;
    this.#writer = writer;
    this.#instances = new ServerWriter(context);
  }

  /** Begins, unless it has begun. `storage` is undefined for a definition that is not served. */
  finalize(definition: CustomResourceDefinition, storage: Resource | undefined): void {
    const { name = '', uid = '' } = definition.metadata;
    const key = `${name} ${uid}`;
    if (this.#running.has(key)) return;
    const { clock, log } = this.#context;
    const begin = (after: number, next: number): void => {
      const timer = clock.setTimeout(() => {
        this.#run(definition, storage).then(
          () => this.#running.delete(key),
          (error: unknown) => {
            log.error('CustomResourceDefinition could not be finalized', { name: definition.metadata.name, err: error });
            // What the store or admission refuses now it may take later.
            if (!this.#context.watches.ending.aborted) begin(next, Math.min(next * 2, longestRetryMs));
          },
        );
      }, after);
      this.#running.set(key, timer);
    };
    begin(beginAfterMs, retryMs);
  }

  stop(): void {
    for (const timer of this.#running.values()) timer[Symbol.dispose]();
  }

  async #run(definition: CustomResourceDefinition, storage: Resource | undefined): Promise<void> {
    const { name = '', uid = '' } = definition.metadata;
    const inProgress = await this.#update(name, uid, (next, now) => {
      setCondition(next, terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'), now);
    });
    if (inProgress === undefined) return;
    const outcome = await this.#deleteInstances(inProgress, storage);
    await this.#update(name, uid, (next, now) => {
      setCondition(next, outcome, now);
      if (outcome.status === 'False') removeFinalizer(next);
    });
  }

  async #deleteInstances(definition: CustomResourceDefinition, storage: Resource | undefined): Promise<StatedCondition> {
    if (overlappingBuiltIn.has(definition.metadata.name ?? ''))
      return terminating('False', 'OverlappingBuiltInResource', 'instances overlap with built-in resources in storage');
    if (storage === undefined || !isConditionTrue(definition, 'Established'))
      return terminating('False', 'NeverEstablished', 'resource was never established');
    const { cache } = storage.store;
    await cache.ready();
    await cache.fresh();
    const failures: string[] = [];
    for (const entry of cache.list({ prefix: storage.keyPrefix }).items) {
      const { namespace = '', name = '' } = storage.store.parse(entry).metadata;
      try {
        await this.#instances.delete(storage, namespace, name);
      } catch (error) {
        if (!isReason(error, 'NotFound')) failures.push(String(error));
      }
    }
    if (failures.length > 0) return terminating('True', 'InstanceDeletionFailed', `could not issue all deletes: ${failures.join(', ')}`);
    await this.#untilGone(storage);
    return terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
  }

  /** Instances with finalizers of their own stay until those are removed. */
  async #untilGone(resource: Resource): Promise<void> {
    const { ending: shutdown } = this.#context.watches;
    const { cache } = resource.store;
    await cache.fresh();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => {
      if (cache.list({ prefix: resource.keyPrefix }).total === 0) resolve();
    };
    const watch = await watchResource({ resource, event: check, caughtUp: check, ended: reject }, shutdown);
    const stop = (): void => reject(new Error('the server is shutting down'));
    shutdown.addEventListener('abort', stop);
    if (shutdown.aborted) stop();
    try {
      await promise;
    } finally {
      shutdown.removeEventListener('abort', stop);
      watch.close();
    }
  }

  #update(
    name: string,
    uid: string,
    edit: (definition: CustomResourceDefinition, now: string) => void,
  ): Promise<CustomResourceDefinition | undefined> {
    const definitions = this.#context.reader.resource('apiextensions.k8s.io', 'customresourcedefinitions');
    return updateDefinition(this.#writer, definitions, name, uid, edit);
  }
}

function terminating(status: 'True' | 'False', reason: string, message: string): StatedCondition {
  return { type: 'Terminating', status, reason, message };
}

function removeFinalizer({ metadata }: CustomResourceDefinition): void {
  const finalizers = (metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
}

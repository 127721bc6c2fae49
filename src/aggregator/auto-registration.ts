// Upstream: k8s.io/kube-aggregator/pkg/controllers/autoregister/autoregister_controller.go, k8s.io/kubernetes/pkg/controlplane/controller/crdregistration
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import { WorkQueueMetrics } from '../base/work-queue-metrics.ts';
import { deepEqual } from '../machinery/deep-equal.ts';
import { isReason } from '../machinery/errors.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import { follow } from '../server/registry/follow.ts';
import type { ServerWriter } from '../server/registry/server-writer.ts';
import type { ApiServiceObject } from './remote-service.ts';

export interface AutoRegistrationOptions {
  readonly metrics: MetricsRegistry;
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A group version that this server itself serves. */
export interface LocalGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** `onstart`: an administrator may change or delete it afterwards */
type Mode = 'onstart' | 'true';

interface Wanted {
  readonly mode: Mode;
  readonly spec: ApiServiceObject['spec'];
}

const group = 'apiregistration.k8s.io';
const plural = 'apiservices';
/** Writes that arrive together are committed together. */
const atOnce = 32;
const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';

/** Keeps an APIService for each group version that this server serves: those of built-in kinds as it starts, those of custom resources always. */
export class AutoRegistration {
  readonly #options: AutoRegistrationOptions;
  readonly #wanted = new Map<string, Wanted>();
  readonly #pending = new Set<string>();
  /** APIServices that were there at the start */
  readonly #atStart = new Set<string>();
  /** those that have been seen to once */
  readonly #synced = new Set<string>();
  /** those of built-in kinds that have not been seen to be available yet */
  readonly #missing = new Set<string>();
  readonly #metrics: WorkQueueMetrics<string>;
  #isStarted = false;
  #working: Promise<void> | undefined;

  constructor(options: AutoRegistrationOptions, builtIn: Iterable<LocalGroupVersion>) {
    this.#options = options;
    this.#metrics = new WorkQueueMetrics(options.metrics, 'autoregister');
    for (const one of builtIn) this.#want(one, 'onstart');
    for (const name of this.#wanted.keys()) this.#missing.add(name);
  }

  /** Throws until every group version of built-in kinds has been available once. */
  checkCompletion(): void {
    if (this.#missing.size > 0) throw new Error(`missing APIService: [${[...this.#missing].toSorted().join(' ')}]`);
  }

  /** The group versions of a group's custom resources from now on. */
  setCustom(of: string, versions: ReadonlySet<string>): void {
    for (const [name, { mode, spec }] of this.#wanted) {
      if (mode !== 'true' || spec.group !== of || versions.has(spec.version ?? '')) continue;
      this.#wanted.delete(name);
      this.#enqueue(name);
    }
    for (const version of versions) {
      if (this.#wanted.get(`${version}.${of}`)?.mode === 'onstart') continue;
      this.#want({ group: of, version, groupPriority: 1000, versionPriority: 100 }, 'true');
    }
  }

  /** Begins, when all custom resources that exist have been added. Resolves when what is wanted is there. */
  async start(signal: AbortSignal): Promise<void> {
    const { reader, clock, log } = this.#options;
    const resource = reader.resource(group, plural);
    await follow({
      name: 'APIServices',
      resource,
      initialEvents: true,
      event: (_type, entry, isInitial) => {
        const name = entry.key.slice(resource.keyPrefix.length);
        if (isInitial && !this.#isStarted) this.#atStart.add(name);
        if (this.#missing.has(name) && isAvailable(reader.parse<ApiServiceObject>(resource, entry))) this.#missing.delete(name);
        this.#enqueue(name);
      },
      caughtUp: () => {
        this.#isStarted = true;
        for (const name of this.#wanted.keys()) this.#enqueue(name);
        this.#begin();
      },
      signal,
      clock,
      log,
    });
    await this.#working;
  }

  #want({ group: of, version, groupPriority, versionPriority }: LocalGroupVersion, mode: Mode): void {
    const spec = { ...(of !== '' && { group: of }), version, groupPriorityMinimum: groupPriority, versionPriority };
    const name = `${version}.${of}`;
    this.#wanted.set(name, { mode, spec });
    this.#enqueue(name);
  }

  #enqueue(name: string): void {
    this.#pending.add(name);
    this.#metrics.added(name);
    this.#begin();
  }

  #begin(): void {
    if (!this.#isStarted || this.#pending.size === 0) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      this.#begin();
    });
  }

  async #work(): Promise<void> {
    while (this.#pending.size > 0) {
      const some = [...this.#pending].slice(0, atOnce);
      for (const name of some) this.#pending.delete(name);
      await Promise.all(some.map((name) => this.#keep(name)));
    }
  }

  async #keep(name: string): Promise<void> {
    this.#metrics.begun(name);
    try {
      await this.#sync(name);
      this.#synced.add(name);
    } catch (error) {
      this.#options.log.error('APIService could not be registered', { name, err: error });
    } finally {
      this.#metrics.ended(name);
    }
  }

  async #sync(name: string): Promise<void> {
    const { reader, writer } = this.#options;
    const resource = reader.resource(group, plural);
    const wanted = this.#wanted.get(name);
    const isSynced = this.#synced.has(name);
    const entry = resource.store.cache.get(resource.store.key('', name)) ?? (await resource.store.getCurrent('', name));
    if (wanted?.mode === 'onstart' && isSynced) return;
    if (entry === undefined) {
      if (wanted === undefined) return;
      const labels = { [managedLabel]: wanted.mode };
      return writer.ensure(group, plural, { metadata: { name, labels }, spec: wanted.spec });
    }
    const current = reader.parse<ApiServiceObject>(resource, entry);
    const mode = current.metadata.labels?.[managedLabel];
    // An object without the mark belongs to an administrator.
    if (mode !== 'true' && mode !== 'onstart') return;
    if (mode === 'onstart' && (isSynced || !this.#atStart.has(name))) return;
    if (wanted === undefined) return this.#delete(name);
    const next = { ...current.spec, ...wanted.spec };
    if (deepEqual(current.spec, next)) return;
    await writer.change<ApiServiceObject>(group, plural, { name }, (object) => Object.assign(object, { spec: wanted.spec }));
  }

  async #delete(name: string): Promise<void> {
    try {
      await this.#options.writer.delete(this.#options.reader.resource(group, plural), '', name);
    } catch (error) {
      // Another writer was first; its event follows.
      if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
    }
  }
}

function isAvailable({ status }: ApiServiceObject): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Available' && value === 'True') ?? false;
}

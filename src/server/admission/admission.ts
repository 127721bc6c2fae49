// Upstream: k8s.io/apiserver/pkg/admission/{interfaces,reinvocation}.go
import type { UserInfo } from '../request/user.ts';
import type { Request, RequestPlace } from '../http/request.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { Resource } from '../registry/resource.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import type { MeasuredStep } from './admission-metrics.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { keepManagedFieldsValid } from './managed-fields.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What admission knows of a resource, stored or not. */
export type AdmittedResource = Pick<
  Resource,
  'group' | 'kind' | 'namespaced' | 'names' | 'groupResource' | 'versions' | 'subresourceKinds'
>;

/** What an admission plugin is asked about. Mutating plugins change `object` in place. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly resource: AdmittedResource;
  /** API version of the request's path */
  readonly version: string;
  /** of the object: the resource's own at that version, or that of a subresource with a type of its own */
  readonly versionedKind: VersionedKind;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** the new object (undefined for DELETE), in the storage version unless the subresource has a type of its own */
  object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request */
  readonly options: Readonly<Record<string, unknown>>;
  warn(text: string): void;
  /** leaves something in the audit log, where that is of this level; the key is a qualified name */
  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void;
  /** how long the client waits for the response; undefined: there is none, the server writes by itself */
  readonly timeLimit?: Pick<Request, 'signal' | 'deadline' | 'waitedMs' | 'place'>;
}

/** Mutating plugins are invoked a second time for a request when its object changed after some of them had seen it. */
export interface ReinvocationContext {
  readonly isReinvoke: boolean;
  /** Asks for the second invocation. */
  setShouldReinvoke(): void;
}

export interface AdmissionPlugin {
  readonly name: string;
  /** It handles none but these; undefined: `handles` alone says which. */
  readonly operations?: readonly AdmissionOperation[];
  handles(attributes: AdmissionAttributes): boolean;
  /** `context` is the same object both times. */
  mutate?(attributes: AdmissionAttributes, context: ReinvocationContext): Promise<void> | void;
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
  /** Resolves when what the plugin decides by is known. */
  ready?(): Promise<void>;
  /** Lets go of what the plugin holds open. */
  [Symbol.dispose]?(): void;
}

/** The plugins of a server, in their order: all mutate, then, when the object is complete, all validate. */
export class Admission implements Disposable {
  readonly plugins: readonly AdmissionPlugin[];
  readonly #metrics: AdmissionMetrics;

  constructor(plugins: readonly AdmissionPlugin[], registry: MetricsRegistry = new MetricsRegistry()) {
    this.plugins = plugins;
    this.#metrics = new AdmissionMetrics(registry, plugins);
  }

  async ready(): Promise<void> {
    await Promise.all(this.plugins.map((plugin) => plugin.ready?.()));
  }

  [Symbol.dispose](): void {
    for (const plugin of this.plugins) plugin[Symbol.dispose]?.();
  }

  async mutate(attributes: AdmissionAttributes): Promise<void> {
    const context = new RequestReinvocation();
    const managedFields = attributes.object?.metadata?.managedFields;
    reach(attributes, 'admission');
    const step = this.#metrics.step('admit', attributes.operation);
    const began = performance.now();
    let rejected = true;
    try {
      await ask(step, attributes, began, context);
      if (context.shouldReinvoke) {
        context.isReinvoke = true;
        await ask(step, attributes, performance.now(), context);
      }
      rejected = false;
    } finally {
      step.ended(began, rejected);
    }
    keepManagedFieldsValid(attributes, managedFields);
    reach(attributes, 'storage');
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    reach(attributes, 'admission');
    const step = this.#metrics.step('validate', attributes.operation);
    const began = performance.now();
    let rejected = true;
    try {
      await ask(step, attributes, began);
      rejected = false;
    } finally {
      step.ended(began, rejected);
    }
    reach(attributes, 'storage');
  }
}

function reach({ timeLimit }: AdmissionAttributes, place: RequestPlace): void {
  if (timeLimit !== undefined) timeLimit.place = place;
}

/**
 * Asks the plugins of a step one after the other. One look at the clock ends a plugin and begins the next; one that has nothing to do with
 * the request takes no time worth a look. `context`: they mutate; without it they validate.
 */
async function ask(
  { plugins }: MeasuredStep,
  attributes: AdmissionAttributes,
  began: number,
  context?: ReinvocationContext,
): Promise<void> {
  for (const measured of plugins) {
    const { plugin, asked, passed } = measured;
    if (!asked || !plugin.handles(attributes)) {
      measured.unasked++;
      continue;
    }
    try {
      const answer = context === undefined ? plugin.validate?.(attributes) : plugin.mutate?.(attributes, context);
      if (answer !== undefined) await answer;
    } catch (error) {
      measured.rejected()?.observe((performance.now() - began) / 1000);
      throw error;
    }
    const now = performance.now();
    passed?.observe((now - began) / 1000);
    began = now;
  }
}

class RequestReinvocation implements ReinvocationContext {
  isReinvoke = false;
  shouldReinvoke = false;

  setShouldReinvoke(): void {
    this.shouldReinvoke = true;
  }
}

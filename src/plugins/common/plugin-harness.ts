// For tests: a plugin on a server that has these objects, and what it says to requests.
import { ManualClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { notFound } from '../../machinery/errors.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../../server/admission/admission.ts';
import type { PluginContext, PluginDefinition } from '../../server/admission/plugin.ts';
import { createPlugin } from '../../server/admission/plugin.ts';
import type { Attributes } from '../../server/request/authorizer.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

export interface Setting {
  /** by `group/plural` */
  readonly objects?: Readonly<Record<string, readonly object[]>>;
  readonly configuration?: unknown;
  /** default: all on */
  readonly enabled?: (feature: string) => boolean;
  /** default: everything */
  readonly allows?: (question: Attributes) => boolean;
}

export interface Asked {
  /** `group/plural[/subresource]` */
  readonly about: string;
  readonly object?: object;
  readonly old?: object;
  readonly operation?: AdmissionOperation;
  readonly namespace?: string;
  readonly dryRun?: boolean;
  readonly kind?: string;
}

export class PluginHarness {
  readonly clock = new ManualClock();
  /** what the plugin has created, as `plural/name` */
  readonly created: string[] = [];
  readonly #plugin: AdmissionPlugin;

  constructor(definition: PluginDefinition, setting: Setting = {}) {
    const { objects = {}, configuration, enabled = () => true, allows = () => true } = setting;
    const all = (group: string, plural: string): readonly KubeObject[] => (objects[`${group}/${plural}`] ?? []) as readonly KubeObject[];
    const get = (group: string, plural: string, _namespace: string, name: string): Promise<KubeObject | undefined> =>
      Promise.resolve(all(group, plural).find(({ metadata }) => metadata.name === name));
    const context = {
      reader: {
        get,
        list: (group: string, plural: string) => Promise.resolve(all(group, plural)),
        async require(group: string, plural: string, namespace: string, name: string) {
          const found = await get(group, plural, namespace, name);
          if (found === undefined) throw notFound({ group, resource: plural }, name);
          return found;
        },
        resourceOf: ({ kind }: { kind: string }) => (kind === 'Pod' ? { namespaced: true, names: { plural: 'pods' } } : undefined),
      },
      authorizer: { authorize: (question: Attributes) => ({ decision: allows(question) ? 'allow' : 'no-opinion', reason: '' }) },
      writer: {
        ensure: (_group: string, plural: string, { metadata }: KubeObject) => {
          this.created.push(`${plural}/${metadata.name ?? ''}`);
          return Promise.resolve();
        },
      },
      features: { enabled },
      clock: this.clock,
      log: silentLogger,
      configuration,
    };
    this.#plugin = createPlugin(definition, context as unknown as PluginContext);
  }

  /** Mutates and validates; the refusal's message, or undefined when the request is admitted. */
  async ask({ about, object, old, operation, namespace = 'ns', dryRun = false, kind = '' }: Asked): Promise<string | undefined> {
    const [group = '', plural = '', subresource = ''] = about.split('/');
    const attributes = {
      operation: operation ?? (old === undefined ? 'CREATE' : 'UPDATE'),
      resource: { group, kind, namespaced: true, names: { plural }, groupResource: { group, resource: plural } },
      versionedKind: { version: 'v1' },
      subresource,
      namespace,
      name: (object as KubeObject | undefined)?.metadata.name ?? '',
      object,
      old,
      user: { name: 'jo', uid: '', groups: [], extra: {} },
      dryRun,
      options: {},
      warn: () => {},
      annotate: () => {},
    } as unknown as AdmissionAttributes;
    if (!this.#plugin.handles(attributes)) return undefined;
    try {
      await this.#plugin.mutate?.(attributes, { isReinvoke: false, setShouldReinvoke: () => {} });
      await this.#plugin.validate?.(attributes);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

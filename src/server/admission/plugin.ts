import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { FeatureGates } from '../registry/features.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { ServerWriter } from '../registry/server-writer.ts';
import type { ObjectReader } from '../registry/object-reader.ts';
import type { WebhookClient } from '../webhook/webhook-client.ts';
import type { AdmissionPlugin } from './admission.ts';

/** What a plugin may use. */
export interface PluginContext {
  readonly reader: ObjectReader;
  readonly authorizer: Authorizer;
  /** for what a plugin keeps account of in other objects */
  readonly writer: ServerWriter;
  /** for what a plugin asks those outside */
  readonly webhooks: WebhookClient;
  readonly features: FeatureGates;
  /** how objects of a type that is no resource (Scale, Binding, TokenRequest) are read */
  readonly versionedKindOf: (kind: GroupVersionKind) => VersionedKind;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** what metrics know the server by; '' where it has no identity */
  readonly serverId: string;
  /** --default-{not-ready,unreachable}-toleration-seconds; undefined: 300 each */
  readonly tolerationSeconds?: { readonly notReady: number; readonly unreachable: number } | undefined;
  /** the plugin's part of --admission-control-config-file, parsed; undefined without one */
  readonly configuration: unknown;
}

/** An admission plugin: its name, as --enable-admission-plugins takes it, and how it is made for a server. */
export interface PluginDefinition {
  readonly name: string;
  /** on unless --disable-admission-plugins says otherwise */
  readonly enabledByDefault: boolean;
  readonly create: (context: PluginContext) => Omit<AdmissionPlugin, 'name'>;
}

/** Throws in upstream's words when a plugin cannot do with its configuration. */
export function createPlugin({ name, create }: PluginDefinition, context: PluginContext): AdmissionPlugin {
  try {
    return { name, ...create(context) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to apply admission: couldn't init admission plugin ${goQuote(name)}: ${why}`, { cause: error });
  }
}

/** The one way to declare a plugin; exists for its types. */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  return definition;
}

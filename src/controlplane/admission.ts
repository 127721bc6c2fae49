// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/options/admission.go, k8s.io/apiserver/pkg/server/options/admission.go
import type { TextSource } from '../base/text-source.ts';
import type { AdmissionPlugin } from '../server/admission/admission.ts';
import { Admission } from '../server/admission/admission.ts';
import type { PluginContext, PluginDefinition } from '../server/admission/plugin.ts';
import { createPlugin } from '../server/admission/plugin.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import type { CustomAdmission } from './custom-admission.ts';
import { customPlugin } from './custom-admission.ts';
import { pluginDefinitions } from './plugins.ts';

export interface AdmissionConfig {
  /** all plugins that run, by name, in place of the other two; none: those that are on by default, as changed by them */
  readonly plugins: readonly string[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  /** an AdmissionConfiguration */
  readonly configuration: TextSource | undefined;
  /** how long pods stay on nodes that are gone, unless they say otherwise */
  readonly tolerationSeconds: NonNullable<PluginContext['tolerationSeconds']>;
  /** plugins of your own */
  readonly others: readonly CustomAdmission[];
}

export const admissionDefaults: AdmissionConfig = Object.freeze({
  plugins: [],
  enable: [],
  disable: [],
  configuration: undefined,
  tolerationSeconds: { notReady: 300, unreachable: 300 },
  others: [],
});

export function buildAdmission(config: AdmissionConfig, context: Omit<PluginContext, 'configuration' | 'tolerationSeconds'>): Admission {
  const { log } = context;
  refuseUnknownPlugins([...config.plugins, ...config.enable, ...config.disable]);
  const configuration = readAdmissionConfiguration(config.configuration);
  const { tolerationSeconds } = config;
  const create = (definition: PluginDefinition): AdmissionPlugin => {
    const own = { log: log.named(definition.name), tolerationSeconds, configuration: configuration.get(definition.name) };
    return createPlugin(definition, { ...context, ...own });
  };
  const plugins = pluginDefinitions.flatMap((definition) => [
    ...(definition.name === firstOfCluster ? config.others.map(customPlugin) : []),
    ...(isEnabled(definition, config) ? [create(definition)] : []),
  ]);
  return new Admission(plugins, context.metrics);
}

/** From here on objects of the cluster decide, policies and webhooks. */
const firstOfCluster = 'MutatingAdmissionPolicy';

function refuseUnknownPlugins(asked: readonly string[]): void {
  const names = pluginDefinitions.map(({ name }) => name);
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new TypeError(`there is no admission plugin ${unknown.join(', ')}; there are ${names.join(', ')}`);
}

function isEnabled({ name, enabledByDefault }: PluginDefinition, { plugins, enable, disable }: AdmissionConfig): boolean {
  if (plugins.length > 0) return plugins.includes(name);
  return enable.includes(name) || (enabledByDefault && !disable.includes(name));
}

import { namespaceLifecycle } from '../plugins/namespace-lifecycle/plugin.ts';
import type { PluginDefinition } from '../server/admission/plugin.ts';

/** Admission plugins in the order in which they run. */
export const pluginDefinitions: readonly PluginDefinition[] = [namespaceLifecycle];

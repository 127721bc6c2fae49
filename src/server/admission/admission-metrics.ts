import type { Histogram, MetricsRegistry } from '../../base/metrics.ts';
import type { AdmissionOperation, AdmissionPlugin } from './admission.ts';
import { admissionFamilies } from './admission-families.ts';
import type { AdmissionStep } from './plugin-steps.ts';
import { pluginSteps } from './plugin-steps.ts';

/** A plugin, and where its time is counted. */
export interface MeasuredPlugin {
  readonly plugin: AdmissionPlugin;
  readonly passed: Histogram | undefined;
  /** series of refusals appear with the first of them */
  rejected(): Histogram | undefined;
}

/** How long admission takes: the two steps, and each plugin in them. */
export class AdmissionMetrics {
  readonly #families: ReturnType<typeof admissionFamilies>;
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #measured = new Map<string, readonly MeasuredPlugin[]>();

  constructor(registry: MetricsRegistry, plugins: readonly AdmissionPlugin[]) {
    this.#families = admissionFamilies(registry);
    this.#plugins = plugins;
  }

  /** Those that have a part in this step of this operation, ours or by upstream's account. */
  plugins(step: AdmissionStep, operation: AdmissionOperation): readonly MeasuredPlugin[] {
    const key = step + operation;
    let measured = this.#measured.get(key);
    if (measured === undefined) this.#measured.set(key, (measured = this.#measure(step, operation)));
    return measured;
  }

  ended(step: AdmissionStep, operation: AdmissionOperation, began: number, rejected: boolean): void {
    this.#families.steps.with(step, operation, rejected ? 'true' : 'false').observe((performance.now() - began) / 1000);
  }

  #measure(step: AdmissionStep, operation: AdmissionOperation): readonly MeasuredPlugin[] {
    const method = step === 'admit' ? 'mutate' : 'validate';
    return this.#plugins.flatMap((plugin): MeasuredPlugin[] => {
      const known = pluginSteps[plugin.name];
      const counts = known === undefined || (known.operations.includes(operation) && known.steps.includes(step));
      const hasStep = plugin[method] !== undefined;
      if (!counts && !hasStep) return [];
      const series = (rejected: 'true' | 'false'): Histogram => this.#families.controllers.with(plugin.name, step, operation, rejected);
      return [{ plugin, passed: counts ? series('false') : undefined, rejected: () => (counts ? series('true') : undefined) }];
    });
  }
}

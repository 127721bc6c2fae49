import type { Histogram, MetricsRegistry } from '../../base/metrics.ts';
import type { AdmissionOperation, AdmissionPlugin } from './admission.ts';
import { admissionFamilies } from './admission-families.ts';
import type { AdmissionStep } from './plugin-steps.ts';
import { pluginSteps } from './plugin-steps.ts';

/** A plugin in one step of one operation, and where its time is counted. */
export interface MeasuredPlugin {
  readonly plugin: AdmissionPlugin;
  /** whether it does anything in this step of this operation, for some request */
  readonly asked: boolean;
  readonly passed: Histogram | undefined;
  /** requests that passed without it, which took no time; they are observed when metrics are read */
  unasked: number;
  /** series of refusals appear with the first of them */
  rejected(): Histogram | undefined;
}

/** One step of one operation. */
export interface MeasuredStep {
  /** those that have a part in it, ours or by upstream's account */
  readonly plugins: readonly MeasuredPlugin[];
  /** It is over, or a plugin has refused. */
  ended(began: number, rejected: boolean): void;
}

/** How long admission takes: the two steps, and each plugin in them. */
export class AdmissionMetrics {
  readonly #families: ReturnType<typeof admissionFamilies>;
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #steps = { admit: new Map<AdmissionOperation, MeasuredStep>(), validate: new Map<AdmissionOperation, MeasuredStep>() };

  constructor(registry: MetricsRegistry, plugins: readonly AdmissionPlugin[]) {
    this.#families = admissionFamilies(registry);
    this.#plugins = plugins;
    registry.onCollect(() => this.#observeUnasked());
  }

  step(step: AdmissionStep, operation: AdmissionOperation): MeasuredStep {
    let measured = this.#steps[step].get(operation);
    if (measured === undefined) this.#steps[step].set(operation, (measured = this.#measure(step, operation)));
    return measured;
  }

  #measure(step: AdmissionStep, operation: AdmissionOperation): MeasuredStep {
    const method = step === 'admit' ? 'mutate' : 'validate';
    const plugins = this.#plugins.flatMap((plugin): MeasuredPlugin[] => {
      const known = pluginSteps[plugin.name];
      const counts = known === undefined || (known.operations.includes(operation) && known.steps.includes(step));
      const asked = plugin[method] !== undefined && plugin.operations?.includes(operation) !== false;
      if (!counts && !asked) return [];
      const series = (rejected: 'true' | 'false'): Histogram => this.#families.controllers.with(plugin.name, step, operation, rejected);
      return [
        { plugin, asked, passed: counts ? series('false') : undefined, unasked: 0, rejected: () => (counts ? series('true') : undefined) },
      ];
    });
    const { steps } = this.#families;
    let passed: Histogram | undefined;
    return {
      plugins,
      ended: (began, rejected) => {
        const seconds = rejected ? steps.with(step, operation, 'true') : (passed ??= steps.with(step, operation, 'false'));
        seconds.observe((performance.now() - began) / 1000);
      },
    };
  }

  #observeUnasked(): void {
    for (const operations of Object.values(this.#steps)) {
      for (const measured of [...operations.values()].flatMap(({ plugins }) => plugins)) {
        if (measured.unasked > 0) measured.passed?.observe(0, measured.unasked);
        measured.unasked = 0;
      }
    }
  }
}

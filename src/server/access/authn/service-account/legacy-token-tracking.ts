// Upstream: k8s.io/kubernetes/pkg/serviceaccount/legacy.go#patchSecretWithLastUsedDate, k8s.io/kubernetes/pkg/serviceaccount/metrics.go
import type { Clock } from '../../../../base/clock.ts';
import type { Logger } from '../../../../base/log.ts';
import type { Counter, MetricsRegistry } from '../../../../base/metrics.ts';
import type { KubeObject } from '../../../registry/definition.ts';

const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const dayMs = 24 * 3600 * 1000;

/** `manual`: of a secret that a person made; `auto`: of one that its account names; `invalid`: of one that is marked so. */
export type LegacyTokenKind = 'manual' | 'auto' | 'invalid';

/** Sets labels of a secret, if it is still this one. */
export type LabelSecret = (secret: KubeObject, labels: Readonly<Record<string, string>>) => Promise<void>;

export interface LegacyTokenTrackingOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
}

/** Notes on which day a token was last used, in its secret: the controller that removes unused ones goes by that. */
export class LegacyTokenTracking {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #uses: Readonly<Record<LegacyTokenKind, Counter>>;
  #label: LabelSecret | undefined;

  constructor({ clock, log, metrics }: LegacyTokenTrackingOptions) {
    this.#clock = clock;
    this.#log = log;
    const counter = (name: string, help: string): Counter => metrics.counter({ name: `serviceaccount_${name}`, help }).with();
    this.#uses = {
      manual: counter('legacy_manual_token_uses_total', 'Uses of tokens from secrets that a person made'),
      auto: counter('legacy_auto_token_uses_total', 'Uses of tokens from secrets that an account names'),
      invalid: counter('invalid_legacy_auto_token_uses_total', 'Uses of tokens from secrets that are marked as invalid'),
    };
  }

  /** Authentication is there before there is anything to write with. */
  writeWith(label: LabelSecret): void {
    this.#label = label;
  }

  async used(secret: KubeObject, kind: LegacyTokenKind): Promise<void> {
    this.#uses[kind].inc();
    const now = this.#clock.now();
    const today = dayOf(now);
    const lastUsed = secret.metadata.labels?.[lastUsedLabel];
    if (lastUsed === today || lastUsed === dayOf(now + dayMs)) return;
    try {
      await this.#label?.(secret, { [lastUsedLabel]: today });
    } catch (error) {
      const { namespace, name } = secret.metadata;
      this.#log.error('Failed to label legacy service account token with last-used date', { secret: `${namespace}/${name}`, err: error });
    }
  }
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

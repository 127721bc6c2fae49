// Upstream: k8s.io/apiserver/pkg/endpoints/filters/impersonation/metrics/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';
import { exponentialBuckets } from '../../base/metrics.ts';
import type { Authorizer, Decision } from '../request/authorizer.ts';

const modes: ReadonlySet<string> = new Set(['associated-node', 'arbitrary-node', 'serviceaccount', 'user-info']);

export function impersonationFamilies(registry: MetricsRegistry) {
  const name = (what: string): string => `apiserver_impersonation_${what}`;
  const labels = ['mode', 'decision'] as const;
  const buckets = exponentialBuckets(0.001, 2, 15);
  return {
    attempts: registry.counter({
      name: name('attempts_total'),
      help: 'Requests that wanted to act as another user, by what allowed it; that is empty where nothing did',
      labels,
    }),
    attemptSeconds: registry.histogram({
      name: name('attempts_duration_seconds'),
      help: 'Time until it was clear whether a request may act as another user',
      labels,
      buckets,
    }),
    questions: registry.counter({
      name: name('authorization_attempts_total'),
      help: 'Questions to authorizers because of impersonation',
      labels,
    }),
    questionSeconds: registry.histogram({
      name: name('authorization_attempts_duration_seconds'),
      help: 'Time that authorizers took for questions because of impersonation',
      labels,
      buckets,
    }),
  };
}

/** What constrained impersonation counts; the older kind counts nothing, as in upstream. */
export class ImpersonationMetrics {
  readonly #families: ReturnType<typeof impersonationFamilies>;

  constructor(registry: MetricsRegistry) {
    this.#families = impersonationFamilies(registry);
  }

  /** `constraint`: the verb that allowed it, empty for the older kind; undefined: nothing did */
  attempted(began: number, constraint: string | undefined): void {
    const mode = constraint === undefined ? '' : modeOf(constraint || 'impersonate');
    const labels = [mode, constraint === undefined ? 'denied' : 'allowed'] as const;
    this.#families.attempts.with(...labels).inc();
    this.#families.attemptSeconds.with(...labels).observe((performance.now() - began) / 1000);
  }

  /** The authorizer, with its decisions counted. */
  counted(authorizer: Authorizer): Authorizer {
    return {
      authorize: (attributes) => {
        const began = performance.now();
        const decided = (decision: Decision): Decision => {
          const labels = [modeOf(attributes.verb), decision.decision === 'allow' ? 'allowed' : 'denied'] as const;
          this.#families.questions.with(...labels).inc();
          this.#families.questionSeconds.with(...labels).observe((performance.now() - began) / 1000);
          return decision;
        };
        const decision = authorizer.authorize(attributes);
        return decision instanceof Promise ? decision.then(decided) : decided(decision);
      },
    };
  }
}

/** The second part of a verb such as `impersonate-on:user-info:list`. */
function modeOf(verb: string): string {
  if (verb === 'impersonate') return 'legacy';
  const [kind, mode = ''] = verb.split(':');
  return (kind === 'impersonate' || kind === 'impersonate-on') && modes.has(mode) ? mode : 'unknown';
}

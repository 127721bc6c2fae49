// Upstream: k8s.io/apiserver/pkg/server/filters/maxinflight.go#requestWatermark
import type { Gauge, MetricsRegistry } from '../../../base/metrics.ts';

export type InFlightKind = 'readOnly' | 'mutating';
export type InFlightPhase = 'executing' | 'waiting';

interface Peak {
  now: number;
  most: number;
  readonly shown: Gauge;
}

/** The most requests at once, since metrics were last read. Upstream's is that of the last second. */
export class InFlightPeaks {
  readonly #peaks: Readonly<Record<InFlightPhase, Readonly<Record<InFlightKind, Peak>>>>;

  constructor(registry: MetricsRegistry) {
    const executing = registry.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Most requests that were served at once since metrics were last read',
      labels: ['request_kind'],
      stability: 'STABLE',
    });
    const waiting = registry.gauge({
      name: 'apiserver_current_inqueue_requests',
      help: 'Most requests that waited in queues at once since metrics were last read',
      labels: ['request_kind'],
    });
    const kinds = (family: typeof executing): Record<InFlightKind, Peak> => ({
      readOnly: { now: 0, most: 0, shown: family.with('readOnly') },
      mutating: { now: 0, most: 0, shown: family.with('mutating') },
    });
    this.#peaks = { executing: kinds(executing), waiting: kinds(waiting) };
    registry.onCollect(() => this.show());
  }

  /** Shows the most since it was last shown. */
  show(): void {
    for (const { readOnly, mutating } of Object.values(this.#peaks))
      for (const peak of [readOnly, mutating]) {
        peak.shown.set(peak.most);
        peak.most = peak.now;
      }
  }

  changed(phase: InFlightPhase, kind: InFlightKind, delta: 1 | -1): void {
    const peak = this.#peaks[phase][kind];
    peak.now += delta;
    if (peak.now > peak.most) peak.most = peak.now;
  }
}

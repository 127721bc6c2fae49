// Upstream: k8s.io/apiserver/plugin/pkg/audit/webhook/webhook.go, k8s.io/apiserver/pkg/util/webhook/webhook.go
import type { Clock } from '../../../base/clock.ts';
import { stepByStep } from '../../../base/steps.ts';
import type { RemoteServer } from '../../webhook/kubeconfig.ts';
import type { RestClientMetrics } from '../../webhook/rest-client-metrics.ts';
import { RemoteClient } from '../../webhook/remote-client.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { eventListBytes } from './event.ts';
import type { AuditReports } from './reports.ts';

const attempts = 5;
const factor = 1.5;
const jitter = 0.2;

export interface WebhookBackendOptions {
  readonly server: RemoteServer;
  /** milliseconds after the first failure; each time longer */
  readonly initialBackoff: number;
  readonly metrics?: RestClientMetrics;
}

/** Sends events, in lists, to another server. */
export class WebhookBackend implements AuditBackend {
  readonly #initialBackoff: number;
  readonly #reports: AuditReports;
  readonly #remote: RemoteClient;

  constructor({ server, initialBackoff, metrics }: WebhookBackendOptions, reports: AuditReports, clock: Clock) {
    this.#initialBackoff = initialBackoff;
    this.#reports = reports;
    this.#remote = new RemoteClient(server, clock, { metrics });
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const body = await stepByStep(eventListBytes(events));
    let pause = this.#initialBackoff;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#remote.post(body);
        return true;
      } catch (error) {
        if (attempt === attempts || this.#remote.isClosed) {
          this.#reports.failed('webhook', (error as Error).message, events);
          return false;
        }
      }
      await this.#remote.sleep(pause * (1 + Math.random() * jitter));
      pause *= factor;
    }
  }

  /** The caller has waited for what is under way, or does not want to. */
  async close(): Promise<void> {
    this.#remote[Symbol.dispose]();
  }
}

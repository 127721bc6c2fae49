import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { Client } from './client.ts';
import type { Informers } from './informers.ts';

export interface ControllerContext {
  /** speaks as the controller's own service account */
  readonly client: Client;
  /** read as the controller manager, for all controllers */
  readonly informers: Informers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  readonly signal: AbortSignal;
}

/** Brings objects to where they should be. It knows an API server by its client only, so any API server will do. */
export interface Controller {
  /** as kube-controller-manager's --controllers has it */
  readonly name: string;
  /** its service account in kube-system, as which it asks; undefined: it asks as the controller manager, as upstream's does */
  readonly account: string | undefined;
  /** Works until the signal. What fails goes back into a queue; an error thrown here is a mistake of the controller. */
  run(context: ControllerContext): Promise<void>;
}

/** The one way to declare a controller; exists for its types. */
export function defineController(controller: Controller): Controller {
  return controller;
}

import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Client } from './client.ts';

export interface ControllerContext {
  readonly client: Client;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Brings objects to where they should be. It knows an API server by its client only, so any API server will do. */
export interface Controller {
  /** also of its service account in kube-system, as which it asks */
  readonly name: string;
  /** Looks at everything, then follows changes; returns or throws when it can follow no longer, and is started again. */
  run(context: ControllerContext): Promise<void>;
}

/** The one way to declare a controller; exists for its types. */
export function defineController(controller: Controller): Controller {
  return controller;
}

const restartDelayMs = 1000;

/** Runs a controller until the signal: whatever ends it, it begins anew. */
export async function runController(controller: Controller, context: ControllerContext, clock: Clock): Promise<void> {
  const { log, signal } = context;
  while (!signal.aborted) {
    try {
      await controller.run(context);
    } catch (error) {
      if (!signal.aborted) log.error('controller failed and will start again', { controller: controller.name, error: String(error) });
    }
    await pause(clock, restartDelayMs, signal);
  }
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  using _timer = clock.setTimeout(wake, ms);
  signal.addEventListener('abort', wake, { once: true });
  await promise;
  signal.removeEventListener('abort', wake);
}

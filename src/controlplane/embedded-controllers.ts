import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { runController } from '../controllers/common/controller.ts';
import type { UserInfo } from '../server/authn/user.ts';
import { authenticatedGroup } from '../server/authn/user.ts';
import type { Handler } from '../server/http/response.ts';
import { controllers } from './controllers.ts';
import { InProcessClient } from './in-process-client.ts';

export interface EmbeddedControllersOptions {
  /** the server as it answers a user who has proved to be that */
  readonly serverFor: (user: UserInfo) => Handler;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Runs controllers beside the server, each as its own service account, with the rights that the default roles give it. */
export class EmbeddedControllers {
  readonly #options: EmbeddedControllersOptions;
  readonly #stopping = new AbortController();
  #running: readonly Promise<void>[] = [];

  constructor(options: EmbeddedControllersOptions) {
    this.#options = options;
  }

  start(): void {
    const { serverFor, clock, log } = this.#options;
    const { signal } = this.#stopping;
    this.#running = controllers.map((controller) => {
      const client = new InProcessClient(serverFor(serviceAccount(controller.name)));
      return runController(controller, { client, log: log.named(controller.name), signal }, clock);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }
}

function serviceAccount(name: string): UserInfo {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', authenticatedGroup];
  return { name: `system:serviceaccount:kube-system:${name}`, uid: '', groups, extra: {} };
}

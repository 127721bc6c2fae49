import type { AddressInfo } from 'node:net';
import type { MetricsRegistry } from '../base/metrics.ts';
import type { ApiServer } from '../server/api-server.ts';
import type { Handler } from '../server/http/response.ts';
import type { UserInfo } from '../server/request/user.ts';
import type { ServerConfig } from './config.ts';
import type { EmbeddedControllers } from './embedded-controllers.ts';
import type { Origin } from './origin.ts';
import type { ServerContext } from './server-context.ts';
import { listenError } from './serving.ts';
import type { Snapshots } from './snapshots.ts';

interface ControlPlaneParts {
  readonly config: ServerConfig;
  readonly context: ServerContext;
  readonly server: ApiServer;
  readonly snapshots: Snapshots;
  readonly controllers: EmbeddedControllers | undefined;
  /** called when the address is known and before the first hook runs on it */
  readonly started: (address: AddressInfo) => void;
  /** called when the server is ready */
  readonly ready: () => void;
  /** what a copy of this server can go on from */
  readonly origin: Origin;
}

/** An assembled server: starts, stops, and can be put back in time. */
export class ControlPlane implements AsyncDisposable {
  readonly #parts: ControlPlaneParts;
  #stopped: Promise<void> | undefined;

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
  }

  get metrics(): MetricsRegistry {
    return this.#parts.context.metrics;
  }

  /** All that the server does with a request, from any client. */
  get handler(): Handler {
    return this.#parts.server.handler;
  }

  /** The same for a user who is known already. */
  handlerFor(user: UserInfo): Handler {
    return this.#parts.server.handlerFor(user);
  }

  /** Resolves when the server is ready; when it cannot be, everything is closed again. */
  async start(): Promise<AddressInfo> {
    const { config, server, controllers, snapshots, started, ready } = this.#parts;
    try {
      const address = await server.start();
      started(address);
      await server.whenReady();
      if (server.isStopping) return address;
      ready();
      controllers?.start();
      if (config.wheelhouse.snapshots) void snapshots.rememberInitial(config.controllers === true);
      return address;
    } catch (error) {
      await this.stop();
      throw listenError(error, config.serving);
    }
  }

  get origin(): Origin {
    return this.#parts.origin;
  }

  get snapshots(): Snapshots {
    return this.#parts.snapshots;
  }

  /** Stops serving, then closes all that was opened for it. */
  stop(): Promise<void> {
    this.#stopped ??= this.#parts.context.owned[Symbol.asyncDispose]();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

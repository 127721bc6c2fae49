// Upstream: k8s.io/apiserver/pkg/server/genericapiserver.go
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Logger } from '../base/log.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { Auditor } from './access/audit/auditor.ts';
import type { RequestAuthenticator } from './access/authn/authenticator.ts';
import type { AuthenticatedRequest } from './request/stages.ts';
import type { UserInfo } from './request/user.ts';
import type { Authorizer } from './request/authorizer.ts';
import type { ChainOptions } from './chain.ts';
import { buildHandlerChain } from './chain.ts';
import type { ErrorRenderer } from './filters/errors.ts';
import type { Handler } from './http/response.ts';
import { Listener } from './http/listener.ts';
import type { ActiveWatches } from './lifecycle/active-watches.ts';
import { InFlight } from './lifecycle/in-flight.ts';
import type { FilterMetrics } from './filters/filter-metrics.ts';
import type { RequestMetrics } from './filters/request-metrics.ts';

export interface PostStartHook {
  readonly name: string;
  /** it begins when the others are done, and the server does not wait for it to be of use: only health checks do */
  readonly isLate?: boolean;
  run(signal: AbortSignal): Promise<void>;
}

/** Runs when the server is asked to stop, while it still serves: removes the server from where clients look for it. */
export interface PreShutdownHook {
  readonly name: string;
  run(): Promise<void>;
}

export interface ServingOptions {
  readonly address: string;
  readonly port: number;
  /** others may listen on the same address and port */
  readonly sharesPort: boolean;
  readonly tls: TlsOptions;
  /** another server of this process has the same */
  readonly tlsIsProven?: boolean;
  readonly maxStreams: number;
  /** HTTP/1.1 alone */
  readonly http1Only: boolean;
  readonly requestTimeoutMs: number;
  readonly shutdownDelayMs: number;
  /** watches end one after the other during this time while the server stops; 0: all at once */
  readonly shutdownWatchGraceMs: number;
  readonly strictTransportSecurity: readonly string[];
  /** patterns of origins that browsers may call from */
  readonly corsAllowedOrigins: readonly string[];
  /** share of HTTP/2 requests after which the client is asked to reconnect */
  readonly goawayChance: number;
  /** while requests under way are served to their end, new ones get 429 with Retry-After, instead of a port that is closed */
  readonly shutdownSendRetryAfter: boolean;
}

export interface ApiServerOptions {
  /** the delegation chain, behind the filters */
  readonly api: Handler<AuthenticatedRequest>;
  readonly errors: ErrorRenderer;
  readonly authenticate: RequestAuthenticator;
  readonly authorizer: Authorizer;
  /** undefined: nothing is recorded */
  readonly auditor: Auditor | undefined;
  /** feature ConstrainedImpersonation */
  readonly constrainedImpersonation: boolean;
  /** feature UnauthenticatedHTTP2DOSMitigation */
  readonly limitStrangers: boolean;
  readonly metrics: RequestMetrics;
  readonly filterMetrics: FilterMetrics;
  /** undefined: no request waits or is turned away */
  readonly flowControl?: ChainOptions['flowControl'];
  readonly log: Logger;
  readonly tracer: Tracer;
  readonly serving: ServingOptions;
  readonly postStartHooks: readonly PostStartHook[];
  readonly preShutdownHooks?: readonly PreShutdownHook[];
  readonly watches: ActiveWatches;
}

const preShutdownLimitMs = 20_000;

export type Phase = 'created' | 'starting' | 'serving' | 'ready' | 'shutdown-initiated' | 'not-accepting' | 'drained' | 'stopped';

/** Serves a handler: starts, becomes ready when its hooks have run, and stops without dropping requests. */
export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #inFlight: InFlight;
  readonly #chain: ChainOptions;
  readonly #listener: Listener;
  /** what the listener serves: the whole chain, for requests that come in another way */
  readonly handler: Handler;
  readonly #hooks = new AbortController();
  readonly #finishedHooks = new Set<string>();
  readonly #running: Promise<void>[] = [];
  #phase: Phase = 'created';
  #stopped: Promise<void> | undefined;

  constructor(options: ApiServerOptions) {
    const { errors, log, serving } = options;
    this.#options = options;
    const refusesWatch = (): boolean => serving.shutdownWatchGraceMs > 0 && options.watches.ending.aborted;
    this.#inFlight = new InFlight({
      timeoutMs: serving.requestTimeoutMs,
      refusesWatch,
      endedLate: (request, failed) => options.metrics.endedLate(request, failed),
      timedOut: (request, place) => {
        options.metrics.terminated(request, 504);
        options.metrics.families.timeouts.with(place).inc();
        const seconds = (performance.now() - request.receivedAt) / 1000;
        log.warn('Request timed out', { method: request.method, path: request.path, place, seconds });
      },
    });
    this.#chain = {
      errors,
      inFlight: this.#inFlight,
      authenticate: options.authenticate,
      authorizer: options.authorizer,
      auditor: options.auditor,
      metrics: options.metrics,
      filterMetrics: options.filterMetrics,
      flowControl: options.flowControl,
      constrainedImpersonation: options.constrainedImpersonation,
      limitStrangers: options.limitStrangers,
      log,
      tracer: options.tracer,
      strictTransportSecurity: serving.strictTransportSecurity,
      corsAllowedOrigins: serving.corsAllowedOrigins,
      goawayChance: serving.http1Only ? 0 : serving.goawayChance,
      sendsAway: serving.shutdownSendRetryAfter ? () => this.#phase === 'not-accepting' || this.#phase === 'drained' : undefined,
    };
    this.handler = buildHandlerChain(options.api, this.#chain);
    this.#listener = new Listener({
      handler: this.handler,
      tls: serving.tls,
      tlsIsProven: serving.tlsIsProven ?? false,
      address: serving.address,
      port: serving.port,
      sharesPort: serving.sharesPort,
      maxStreams: serving.maxStreams,
      http1Only: serving.http1Only,
      requestTimeoutMs: serving.requestTimeoutMs,
      metrics: options.metrics.connections,
      onError: (error, request) => {
        if (request !== undefined) options.metrics.aborted(request);
        log.error('response could not be sent', { path: request?.path, err: error });
      },
      onHandshakeError: (error, { remoteAddress }) => {
        options.metrics.handshakeErrors.inc();
        log.v(5)?.info('TLS handshake error', { from: remoteAddress, err: error });
      },
    });
  }

  /** The server for a part of this process, whose word is enough for who it is. */
  handlerFor(user: UserInfo): Handler {
    return buildHandlerChain(this.#options.api, { ...this.#chain, authenticate: () => user });
  }

  /** Whether it was asked to stop. */
  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Names of the post-start hooks. */
  get hooks(): readonly string[] {
    return this.#options.postStartHooks.map(({ name }) => name);
  }

  /** Names of those that have not finished. */
  get pendingHooks(): readonly string[] {
    return this.hooks.filter((name) => !this.#finishedHooks.has(name));
  }

  /** Listens and starts the hooks; ready when `whenReady` resolves. */
  async start(): Promise<AddressInfo> {
    this.#phase = 'starting';
    const address = await this.#listener.listen();
    this.#phase = 'serving';
    for (const hook of this.#options.postStartHooks) if (hook.isLate !== true) this.#running.push(this.#runHook(hook));
    return address;
  }

  async whenReady(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#phase !== 'serving') return;
    this.#phase = 'ready';
    const late = this.#options.postStartHooks.filter(({ isLate }) => isLate === true);
    if (late.length > 0) setImmediate(() => this.#runLate(late));
  }

  setSecureContext(options: TlsOptions): void {
    this.#listener.setSecureContext(options);
  }

  /** Graceful termination, in upstream's phases. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { log, serving, watches } = this.#options;
    this.#phase = 'shutdown-initiated';
    log.info('[graceful-termination] shutdown event', { name: 'ShutdownInitiated' });
    await Promise.all([this.#shutdownDelay(), this.#runPreShutdownHooks()]);
    this.#phase = 'not-accepting';
    log.info('[graceful-termination] shutdown event', { name: 'NotAcceptingNewRequest' });
    const drained = this.#inFlight.drain();
    // Before the watches end: clients that come back at once must not find the same connection open.
    if (!serving.shutdownSendRetryAfter) this.#listener.retire();
    const watchesEnded = watches.end(serving.shutdownWatchGraceMs);
    await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, serving.requestTimeoutMs).unref())]);
    await watchesEnded;
    this.#phase = 'drained';
    log.info('[graceful-termination] shutdown event', { name: 'InFlightRequestsDrained' });
    // Requests that were under way may have needed what these loops keep.
    this.#hooks.abort();
    await this.#listener.close(2000);
    await Promise.allSettled(this.#running);
    this.#phase = 'stopped';
    log.info('[graceful-termination] shutdown event', { name: 'HTTPServerStoppedListening' });
  }

  async #shutdownDelay(): Promise<void> {
    const { log, serving } = this.#options;
    if (serving.shutdownDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, serving.shutdownDelayMs));
    log.info('[graceful-termination] shutdown event', { name: 'AfterShutdownDelayDuration' });
  }

  /** One that fails, or waits for a store that does not respond, does not keep the server from stopping. */
  async #runPreShutdownHooks(): Promise<void> {
    const { log, preShutdownHooks = [] } = this.#options;
    const run = async (hook: PreShutdownHook): Promise<void> => {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('it took too long')), preShutdownLimitMs);
      try {
        await Promise.race([hook.run(), late.promise]);
      } catch (error) {
        log.error('a pre-shutdown hook failed', { name: hook.name, err: error });
      } finally {
        clearTimeout(timer);
      }
    };
    await Promise.all(preShutdownHooks.map(run));
    log.info('[graceful-termination] pre-shutdown hooks completed', { name: 'PreShutdownHooksStopped' });
  }

  /** Callers that have waited for the server to be ready come first. */
  #runLate(hooks: readonly PostStartHook[]): void {
    if (this.#hooks.signal.aborted) return;
    for (const hook of hooks) {
      const failed = (error: unknown): void => this.#options.log.error('a post-start hook failed', { name: hook.name, err: error });
      this.#running.push(this.#runHook(hook).catch(failed));
    }
  }

  async #runHook({ name, run }: PostStartHook): Promise<void> {
    await run(this.#hooks.signal);
    this.#finishedHooks.add(name);
  }
}

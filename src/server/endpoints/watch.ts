// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/watch.go
import { decodeTableOptions } from '../../machinery/options.ts';
import { ApiError, internalError, resourceExpired, statusOf } from '../../machinery/errors.ts';
import { parseResourceVersion } from '../../machinery/resource-version.ts';
import { CacheClosedError } from '../../storage/cache/types.ts';
import type { CacheEvent, CacheEventType, SharedForm, WatchSink } from '../../storage/cache/types.ts';
import { CompactedError } from '../../storage/storage.ts';
import { terminatedWatchers } from '../../storage/cache/cache-metrics.ts';
import type { Counter, Histogram } from '../../base/metrics.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { BodySink, Response, StreamBody } from '../http/response.ts';
import { wantsWebSocket, webSocketResponse } from '../http/web-socket.ts';
import { negotiateStream } from '../http/media-types.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { DeliveryRounds, Receiver } from './delivery-rounds.ts';
import type { Endpoint } from './endpoint.ts';
import { waitFor } from './get.ts';
import type { Selection } from './list-query.ts';
import { selectionOf } from './list-query.ts';
import { ShardedWatch } from './sharded-watch.ts';
import { rejectUnreadable } from './unreadable.ts';
import { WatchEncoder, watchContentType } from './watch-encoder.ts';

/** A watcher that has this much waiting for its socket is too slow: it is cut off, and comes back where it was. */
const maxPendingBytes = 16 * 1024 * 1024;
/** Initial events that are written at once, where several watches send the same. */
const sharedWriteBytes = 64 * 1024;
/** what precedes each protobuf event in a stream */
const frameLengthBytes = 4;

export async function watch(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const selection = selectionOf(endpoint, request);
  const form = negotiateStream(request, endpoint.versionedKind.mediaTypes);
  if (form.as === 'table') decodeTableOptions(request.query);
  const { cache } = endpoint.resource.store;
  await cache.ready();
  const start = await startOf(endpoint, selection);
  rejectUnreadable(endpoint);
  const { minRequestTimeoutSeconds } = endpoint.context;
  const { timeoutSeconds } = selection.options;
  const timeoutMs = timeoutSeconds ? Math.max(0, timeoutSeconds) * 1000 : minRequestTimeoutSeconds * 1000 * (1 + Math.random());
  const encoder = new WatchEncoder(endpoint, request, form);
  const body: StreamBody = (sink) => new WatchStream(endpoint, request, selection, encoder, sink).run(start, timeoutMs);
  if (wantsWebSocket(request)) {
    const skip = form.media === 'protobuf' ? frameLengthBytes : 0;
    return webSocketResponse(request, { text: form.media === 'json', skip }, body);
  }
  return {
    status: 200,
    headers: { 'content-type': watchContentType(form.media) },
    body,
  };
}

interface Start {
  readonly from: number | 'now' | 'any';
  readonly initialEventsAtLeast?: number;
}

async function startOf(endpoint: Endpoint, { options }: Selection): Promise<Start> {
  const { cache } = endpoint.resource.store;
  const revision = options.resourceVersion === '' ? undefined : parseResourceVersion(options.resourceVersion);
  if (options.sendInitialEvents) {
    if (revision === undefined) await cache.fresh();
    else if (revision > 0) await waitFor(endpoint.resource, revision, options.resourceVersion);
    return { from: 'any', initialEventsAtLeast: revision ?? cache.revision };
  }
  if (options.sendInitialEvents === false && (revision === undefined || revision === 0)) {
    if (revision === undefined) await cache.fresh();
    return { from: 'now' };
  }
  if (revision === undefined) {
    await cache.fresh();
    return { from: 'any' };
  }
  if (revision === 0) return { from: 'any' };
  return { from: revision };
}

/** One client's stream: events in, bytes out, cut off when it cannot keep up. */
class WatchStream implements WatchSink<StoredEntry>, Receiver {
  readonly #endpoint: Endpoint;
  readonly #selection: Selection;
  readonly #encoder: WatchEncoder;
  readonly #sink: BodySink;
  readonly #rounds: DeliveryRounds;
  #finish: () => void = () => {};
  #over = false;
  /** what goes out in the next round */
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #lastRevision = 0;
  readonly #request: AuthenticatedRequest;
  readonly #events: Counter;
  readonly #sizes: Histogram;

  constructor(endpoint: Endpoint, request: AuthenticatedRequest, selection: Selection, encoder: WatchEncoder, sink: BodySink) {
    const { group, version, resource } = request.info;
    const { watchEvents, watchEventSizes } = endpoint.context.observed;
    this.#request = request;
    this.#events = watchEvents.with(group, version, resource);
    this.#sizes = watchEventSizes.with(group, version, resource);
    this.#endpoint = endpoint;
    this.#selection = selection;
    this.#encoder = encoder;
    this.#sink = sink;
    this.#rounds = endpoint.context.deliveries.of(endpoint.resource);
  }

  async run({ from, initialEventsAtLeast }: Start, timeoutMs: number): Promise<void> {
    const { prefix, options } = this.#selection;
    const { resource, context } = this.#endpoint;
    using part = this.#selection.shard && new ShardedWatch(this.#endpoint, this.#selection.shard);
    const matches = part === undefined ? this.#selection.matches : part.counting(this.#selection.matchesAttributes);
    const { cache } = resource.store;
    const ended = new Promise<void>((resolve) => (this.#finish = resolve));
    this.#sink.onClose(() => this.#stop());
    const single = prefix !== resource.keyPrefix && !prefix.endsWith('/');
    // Initial events; those of changes come one by one.
    if (from === 'any' || initialEventsAtLeast !== undefined) await cache.prepare?.list({ prefix }, this.#selection.matches, Infinity);
    const handle = cache.watch({
      prefix,
      matches: single ? (entry) => entry.key === prefix && matches(entry) : matches,
      from,
      ...(initialEventsAtLeast !== undefined && { initialEventsAtLeast }),
      bookmarks: options.allowWatchBookmarks,
      forClient: true,
      deadline: context.clock.elapsed() + timeoutMs,
      fieldEquals: this.#selection.fieldEquals,
      sink: this,
    });
    const timer = context.clock.setTimeout(() => this.#stop(), timeoutMs);
    const ends = context.watches.add(() => this.#stop());
    try {
      await ended;
    } finally {
      ends();
      timer[Symbol.dispose]();
      handle.close();
      this.#flush();
    }
  }

  event(type: CacheEventType, event: CacheEvent<StoredEntry>): void {
    this.#lastRevision = event.revision;
    if (this.#encoder.impossible) this.#stop();
    else this.#write(this.#encoder.event(type, event));
  }

  bookmark(revision: number, initialEventsEnd: boolean): void {
    if (!initialEventsEnd && (!this.#selection.options.allowWatchBookmarks || revision < this.#lastRevision)) return;
    if (this.#encoder.impossible) return this.#stop();
    this.#write(this.#encoder.bookmark(revision, initialEventsEnd));
    if (initialEventsEnd) this.#initialEventsSent();
  }

  live(): void {
    this.#flush();
  }

  end(error: Error): void {
    // What served it is gone, or serves otherwise now: the client comes back and sees.
    if (error instanceof CacheClosedError) return this.#stop();
    const failure =
      error instanceof ApiError
        ? error
        : error instanceof CompactedError
          ? resourceExpired(
              `too old resource version: ${this.#selection.options.resourceVersion || this.#lastRevision} (${error.compactRevision})`,
            )
          : internalError(error.message, { cause: error });
    this.#write(this.#encoder.error(statusOf(failure)));
    this.#stop();
  }

  get pending(): number {
    return this.#sink.closed ? 0 : this.#batchBytes + this.#sink.pending;
  }

  drained(limit: number): Promise<void> | undefined {
    this.#flush();
    return this.pending > limit ? this.#sink.drained() : undefined;
  }

  get shared(): SharedForm<StoredEntry> | undefined {
    const { everything, shard, prefix } = this.#selection;
    if (!everything || shard !== undefined || !prefix.endsWith('/') || this.#sink.separate) return undefined;
    const form = this.#encoder.sharedForm;
    return form === undefined ? undefined : { form, encode: this.#encodeInitial, send: this.#sendInitial };
  }

  readonly #encodeInitial = (entries: Iterable<StoredEntry>): { bytes: Buffer; sizes: number[] } => {
    const parts: Buffer[] = [];
    let length = 0;
    for (const object of entries) {
      const bytes = this.#encoder.initial(object);
      parts.push(bytes);
      length += bytes.length;
      if (length >= sharedWriteBytes) break;
    }
    return { bytes: Buffer.concat(parts, length), sizes: parts.map((part) => part.length) };
  };

  readonly #sendInitial = (bytes: Buffer, revision: number, sizes: readonly number[]): void => {
    this.#lastRevision = revision;
    // Alone, so that they are not copied.
    this.#flush();
    this.#queue(bytes);
    for (const size of sizes) this.#observe(size);
    this.#flush();
  };

  #write(bytes: Buffer): void {
    if (this.#over) return;
    this.#observe(bytes.length);
    this.#queue(bytes);
  }

  #observe(size: number): void {
    this.#events.inc();
    this.#sizes.observe(size);
  }

  #queue(bytes: Buffer): void {
    if (this.#over) return;
    if (this.#batch.length === 0) this.#rounds.add(this);
    this.#batch.push(bytes);
    this.#batchBytes += bytes.length;
  }

  deliver(): void {
    this.#flush();
  }

  #initialEventsSent(): void {
    const { group, version, resource, inNamespace, name } = this.#request.info;
    const scope = name === '' ? (inNamespace ? 'namespace' : 'cluster') : 'resource';
    const seconds = (performance.now() - this.#request.receivedAt) / 1000;
    this.#endpoint.context.observed.watchListSeconds.with(group, version, resource, scope).observe(seconds);
  }

  #flush(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#batchBytes = 0;
    if (this.#sink.closed) return;
    for (const bytes of this.#sink.separate ? batch : this.#rounds.join(batch)) this.#sink.write(bytes);
    this.#stopIfSlow();
  }

  #stopIfSlow(): void {
    if (this.#sink.pending <= maxPendingBytes) return;
    const { group, resource } = this.#endpoint.resource.groupResource;
    terminatedWatchers(this.#endpoint.context.metrics).with(group, resource).inc();
    this.#endpoint.context.log.info('watch cut off: the client reads too slowly', {
      resource: this.#endpoint.resource.names.plural,
      pendingBytes: this.#sink.pending,
    });
    this.#stop();
  }

  #stop(): void {
    if (this.#over) return;
    this.#flush();
    this.#over = true;
    this.#finish();
  }
}

// Upstream: k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go
import type { Clock } from '../../base/clock.ts';
import { formatDuration } from '../../machinery/duration.ts';
import type { Classification, FlowController } from '../access/flow-control/flow-controller.ts';
import type { QueuedRequest } from '../access/flow-control/queue-set.ts';
import type { WatchCounts } from '../access/flow-control/watch-counts.ts';
import type { WorkEstimator } from '../access/flow-control/work-estimate.ts';
import type { Filter, Handler, Response } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { isLongRunning } from '../lifecycle/in-flight.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { elapsed } from './http-log.ts';
import { readVerbs, serve } from './serve.ts';
import { UnreadBodies } from './unread-body.ts';

export interface PriorityAndFairnessOptions {
  readonly controller: FlowController;
  readonly estimate: WorkEstimator;
  readonly watches: WatchCounts;
  readonly clock: Clock;
  /** how long requests without a deadline of their own may wait */
  readonly waitLimitMs: number;
}

const maxWaitMs = 60_000;
const nothing = (): void => {};
/** Where there are too many requests, to turn one away must cost next to nothing: all but the header is made once. */
const tooMany = textResponse(429, 'Too many requests, please try again later.\n');

/** Every request waits for seats of its priority level, or is turned away. */
export function withPriorityAndFairness(options: PriorityAndFairnessOptions): Filter<AuthenticatedRequest> {
  const { controller, estimate, watches } = options;
  const unread = new UnreadBodies(options.clock);
  controller.metrics.observeUnread(unread);
  return (next) => (request) => {
    const { info, user } = request;
    const isWatch = info.verb === 'watch';
    const kind = readVerbs.has(info.verb) ? 'readOnly' : 'mutating';
    if (!isWatch && isLongRunning(info)) return next(request);
    const schema = controller.classify(info, user);
    const { level, metrics } = schema;
    const work = estimate(request, level.maxSeats);
    metrics.estimatedSeats.observe(Math.max(work.initialSeats, work.finalSeats));
    request.responseHeaders['x-kubernetes-pf-flowschema-uid'] = schema.uid;
    request.responseHeaders['x-kubernetes-pf-prioritylevel-uid'] = level.object.uid;
    const flow = { schema: schema.name, distinguisher: schema.distinguisherOf(info, user) };
    const fields = request.logFields;
    if (fields !== undefined) {
      fields['apf_pl'] = level.object.name;
      fields['apf_fs'] = schema.name;
      fields['apf_iseats'] = work.initialSeats;
      fields['apf_fseats'] = work.finalSeats;
      fields['apf_additionalLatency'] = formatDuration(BigInt(Math.round(work.additionalLatencyMs * 1e6)));
    }
    const queued = level.queues.start(flow, request, work);
    const run = (admitted: QueuedRequest): ReturnType<Handler> => {
      if (!level.isExempt) metrics.waitedAndServed.observe(((admitted.startedAt ?? 0) - admitted.arrivedAt) / 1000);
      metrics.dispatched.inc();
      controller.begun(level, admitted.startedAt);
      controller.metrics.changed('executing', kind, 1, admitted.startedAt);
      const finish = (): void => {
        const now = performance.now();
        controller.metrics.changed('executing', kind, -1, now);
        const seconds = (now - (admitted.startedAt ?? 0)) / 1000;
        (isWatch ? metrics.watchInitialization : metrics.execution).observe(seconds);
        controller.served(level, admitted);
        if (fields === undefined) return;
        const took = elapsed(admitted.startedAt ?? 0);
        if (isWatch) fields['apf_init_latency'] = took;
        fields['apf_execution_time'] = took;
      };
      // A watch occupies its seats only until it has begun.
      return isWatch ? serve(next, request, finish, watches.add(request)) : serve(next, request, nothing, finish, unread);
    };
    if (queued === undefined) return turnAway(schema, 0);
    if (queued.startedAt !== undefined) return run(queued);
    request.place = 'waiting';
    controller.metrics.changed('waiting', kind, 1);
    return waitFor(queued, request, schema, options).then((execute) => {
      controller.metrics.changed('waiting', kind, -1);
      request.waitedMs += performance.now() - queued.arrivedAt;
      return execute ? run(queued) : turnAway(schema, queued.arrivedAt);
    });
  };
}

/** Resolves when the request may be served, or has waited for too long, or its client has gone. */
function waitFor(
  queued: QueuedRequest,
  { deadline, receivedAt, source }: AuthenticatedRequest,
  { level }: Classification,
  { clock, waitLimitMs }: PriorityAndFairnessOptions,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = (): void => level.queues.cancel(queued);
  const limit = Math.min(maxWaitMs, deadline === undefined ? waitLimitMs : (deadline - receivedAt) / 4);
  const timer = clock.setTimeout(cancel, Math.max(0, receivedAt + limit - performance.now()));
  queued.decided = (execute) => {
    timer[Symbol.dispose]();
    resolve(execute);
  };
  // The deadline of the request is later.
  source.onClose(cancel);
  return promise;
}

function turnAway({ level, metrics }: Classification, waitedSince: number): Response {
  metrics.waitedInVain.observe(waitedSince === 0 ? 0 : (performance.now() - waitedSince) / 1000);
  level.retryAfter.record();
  return { ...tooMany, headers: { ...tooMany.headers, 'retry-after': String(level.retryAfter.seconds) } };
}

// Upstream: k8s.io/apiserver/pkg/server/config.go, k8s.io/kubernetes/pkg/controlplane/apiserver/config.go
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { PostStartHook } from '../server/api-server.ts';
import { flowControlGroup, mandatoryFlowSchemas, mandatoryPriorityLevels } from '../apis/common/flow-control/mandatory.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../schema/types/flowcontrol-v1.ts';
import { FlowController, adjustmentPeriodMs } from '../server/access/flow-control/flow-controller.ts';
import { InFlightPeaks } from '../server/access/flow-control/in-flight-peaks.ts';
import { FlowControlMetrics } from '../server/access/flow-control/metrics.ts';
import { WatchCounts } from '../server/access/flow-control/watch-counts.ts';
import type { StoredAmount } from '../server/access/flow-control/work-estimate.ts';
import { createWorkEstimator } from '../server/access/flow-control/work-estimate.ts';
import { withMaxInFlight } from '../server/filters/max-in-flight.ts';
import { withPriorityAndFairness } from '../server/filters/priority-and-fairness.ts';
import type { Filter } from '../server/http/response.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import type { KubeObject } from '../server/registry/definition.ts';
import type { Resource } from '../server/registry/resource.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import { periodically } from './bootstrap/periodically.ts';
import type { ServerContext } from './server-context.ts';

export interface FlowControlConfig {
  /** --enable-priority-and-fairness; without it the limits hold for all users alike */
  readonly priorityAndFairness: boolean;
  /** requests at once; together, the seats of priority and fairness. 0: no limit */
  readonly maxReads: number;
  readonly maxWrites: number;
}

export const flowControlDefaults: FlowControlConfig = { priorityAndFairness: true, maxReads: 400, maxWrites: 200 };

export interface FlowControl {
  /** undefined: no request ever waits or is turned away */
  readonly filter: Filter<AuthenticatedRequest> | undefined;
  /** undefined: there are no priority levels */
  readonly controller: FlowController | undefined;
  /** has the controller follow what the API says of levels and schemas now */
  readonly follow?: () => Promise<void>;
  /** what its parts do while the server runs */
  readonly hooks: readonly PostStartHook[];
}

/** What stands between requests and the server when there are too many of them. */
export function buildFlowControl(
  { priorityAndFairness, maxReads, maxWrites }: FlowControlConfig,
  { clock, log, metrics, features, owned }: ServerContext,
  { reader, requestTimeoutMs }: { reader: ObjectReader; requestTimeoutMs: number },
): FlowControl {
  const serverSeats = maxReads + maxWrites;
  if (serverSeats === 0) return { filter: undefined, controller: undefined, hooks: [] };
  if (!priorityAndFairness) {
    const peaks = new InFlightPeaks(metrics);
    const filter = withMaxInFlight({ reads: maxReads, writes: maxWrites }, peaks);
    return { filter, controller: undefined, hooks: [peaksHook(peaks, clock, log)] };
  }
  const mandatory = <Spec>(specs: Readonly<Record<string, Spec>>): { name: string; uid: string; spec: Spec }[] =>
    Object.entries(specs).map(([name, spec]) => ({ name, uid: '', spec }));
  const controller = new FlowController({
    serverSeats,
    mandatoryLevels: mandatory(mandatoryPriorityLevels),
    mandatorySchemas: mandatory(mandatoryFlowSchemas),
    metrics: new FlowControlMetrics(metrics),
    clock,
    log,
  });
  owned.use(controller);
  const watches = new WatchCounts();
  const amounts = new StoredAmounts(reader);
  const estimate = createWorkEstimator({
    amountOf: (group, resource) => amounts.of(group, resource),
    watchesOf: ({ info }) => watches.interestedIn(info),
    bySize: features.enabled('SizeBasedListCostEstimate'),
    watchLists: features.enabled('WatchList'),
  });
  const filter = withPriorityAndFairness({ controller, estimate, watches, clock, waitLimitMs: requestTimeoutMs / 4 });
  const configured = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    await followFlowControl(controller, reader);
    configured.resolve();
  };
  return { controller, filter, follow, hooks: [adjustmentHook(controller, configured.promise, clock, log)] };
}

async function followFlowControl(controller: FlowController, reader: ObjectReader): Promise<void> {
  const read = async <T>(plural: string): Promise<{ name: string; uid: string; spec: T }[]> => {
    const objects = await reader.listShared<KubeObject & { spec: T }>(flowControlGroup, plural, '');
    return objects.map(({ metadata, spec }) => ({ name: metadata.name ?? '', uid: metadata.uid ?? '', spec }));
  };
  controller.configure(
    await read<PriorityLevelConfiguration['spec']>('prioritylevelconfigurations'),
    await read<FlowSchema['spec']>('flowschemas'),
  );
}

/** Limits follow demand while the server runs. */
function adjustmentHook(controller: FlowController, configured: Promise<void>, clock: Clock, log: Logger): PostStartHook {
  return {
    name: 'priority-and-fairness-filter',
    run: async (signal) => {
      // Until then every request is of the mandatory levels.
      await configured;
      const adjust = (): Promise<void> => Promise.resolve(controller.adjust());
      const failed = (error: unknown): void => log.error('seats of PriorityLevelConfigurations could not be adjusted', { err: error });
      periodically(adjust, { everyMs: adjustmentPeriodMs, clock, signal, failed });
    },
  };
}

const peaksMs = 1000;

/** The most requests at once are those of the last second. */
function peaksHook(peaks: InFlightPeaks, clock: Clock, log: Logger): PostStartHook {
  return {
    name: 'max-in-flight-filter',
    run: async (signal) => {
      const show = async (): Promise<void> => peaks.show();
      const failed = (error: unknown): void => log.error('requests at once could not be shown', { err: error });
      await show();
      periodically(show, { everyMs: peaksMs, clock, signal, failed });
    },
  };
}

/** How much is stored of each resource; sizes are those of a few objects, looked at again after many requests. */
class StoredAmounts {
  readonly #reader: ObjectReader;
  readonly #sizes = new WeakMap<Resource, { averageBytes: number; entries: number; uses: number }>();

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  of(group: string, plural: string): StoredAmount | undefined {
    const resource = this.#reader.find(group, plural);
    if (resource?.store.hasCache !== true || !resource.store.cache.isReady) return undefined;
    const { entries } = resource.store.cache.stats;
    let size = this.#sizes.get(resource);
    if (size === undefined || size.uses++ > maxUses || entries > 2 * size.entries) {
      this.#sizes.set(resource, (size = { averageBytes: sample(resource), entries, uses: 0 }));
    }
    return { objects: entries, averageBytes: size.averageBytes };
  }
}

const maxUses = 1000;
const sampleSize = 16;

function sample({ store, keyPrefix }: Resource): number {
  const { items, stored = items, total } = store.cache.list({ prefix: keyPrefix, limit: sampleSize });
  let bytes = 0;
  let count = 0;
  for (const { value } of stored) {
    bytes += value.length;
    if (++count === sampleSize) break;
  }
  return total === 0 ? 0 : bytes / count;
}

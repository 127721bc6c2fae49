// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/garbagecollector.go#Run, #Sync
import { defineController } from '../common/controller.ts';
import { pause } from '../../base/pause.ts';
import { discover } from '../common/served-resources.ts';
import { Spread } from '../common/spread.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import { Collector } from './collector.ts';
import { foreignOwnerEvent } from './foreign-owner-event.ts';
import type { Node } from './graph.ts';
import { Graph } from './graph.ts';
import { describe } from './identity.ts';
import { Kinds } from './kinds.ts';
import { Monitors } from './monitors.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apiServicesPath = '/apis/apiregistration.k8s.io/v1/apiservices';
/** Many definitions tend to come together. */
const discoveryDelayMs = 100;
const longestSyncMs = 30_000;
const workers = 20;

/** Deletes objects whose owners are gone, and carries out what deletions of owners ask for. */
export const garbageCollector = defineController({
  name: 'garbage-collector-controller',
  account: 'generic-garbage-collector',
  async run({ client, informers, clock, log, metrics, signal }) {
    let kinds = new Kinds({ resources: [], unknown: [] });
    const describeNode = ({ identity }: Node): string => describe(identity);
    const toDelete = new WorkQueue<Node>({
      name: 'garbage_collector_attempt_to_delete',
      metrics,
      clock,
      log,
      workers,
      describe: describeNode,
      process: (node) => collector.attemptToDelete(node),
    });
    const toOrphan = new WorkQueue<Node>({
      name: 'garbage_collector_attempt_to_orphan',
      metrics,
      clock,
      log,
      workers,
      describe: describeNode,
      process: (node) => collector.orphan(node),
    });
    const attempts = new Spread<Node>((node) => toDelete.add(node));
    const graph = new Graph({
      attemptToDelete: (node, delayMs) => (delayMs === undefined ? attempts.add(node) : toDelete.addAfter(node, delayMs)),
      attemptToOrphan: (node) => toOrphan.add(node),
      reportForeignOwner({ identity }, owner) {
        const event = foreignOwnerEvent(identity, owner, clock.now());
        const path = `/api/v1/namespaces/${event.metadata.namespace}/events`;
        client.create(path, event).catch((error: unknown) => log.error('Event was not recorded', { err: error }));
      },
    });
    const collector = new Collector(
      client,
      graph,
      () => kinds,
      (node) => attempts.add(node),
    );
    using monitors = new Monitors(informers, graph);
    const definitions = informers.ownership(definitionsPath);
    const resources = new WorkQueue<'discovery'>({
      name: 'garbage_collector_discovery',
      metrics,
      clock,
      log,
      workers: 1,
      process: rediscover,
    });
    const again = (): void => resources.addAfter('discovery', discoveryDelayMs);
    const hearOf = { changed: again, deleted: again };
    using _definitions = definitions.subscribe(hearOf);
    using _apiServices = informers.ownership(apiServicesPath).subscribe(hearOf);
    resources.add('discovery');
    const synced = Promise.withResolvers<void>();
    await Promise.all([resources.run(signal), toDelete.run(signal, synced.promise), toOrphan.run(signal, synced.promise)]);

    async function rediscover(): Promise<void> {
      kinds = new Kinds(await discover(client));
      monitors.watch(kinds);
      // Half a graph is full of owners that have not been seen yet. One resource that does not respond must not stop everything, though.
      void Promise.race([monitors.synced(), pause(clock, longestSyncMs, signal)]).then(synced.resolve);
      const missing = [...definitions.values()].filter(({ metadata }) => !kinds.has(metadata.name as string));
      // A definition is there a moment before its resource is served, unless it never is.
      if (missing.length > 0) throw new RetryError('definitions are not served yet');
    }
  },
});

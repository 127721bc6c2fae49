// Upstream: k8s.io/kubernetes/pkg/controller/namespace/namespace_controller.go
import type { Clock } from '../../base/clock.ts';
import { isReason } from '../../machinery/errors.ts';
import { timestamp } from '../../machinery/time.ts';
import type { Namespace } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from '../common/client.ts';
import { defineController } from '../common/controller.ts';
import { resourcePath } from '../common/served-resources.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import { updatedConditions } from './conditions.ts';
import type { Emptied } from './content.ts';
import { emptyNamespace } from './content.ts';
import { LeftOvers } from './left-overs.ts';

type NamespaceObject = Namespace & KubeObject;

const path = '/api/v1/namespaces';
/** stands until this controller has emptied the namespace */
const finalizer = 'kubernetes';
/** Writes that were admitted before the namespace was deleted may still arrive. Upstream waits 5 s, for several servers. */
const deletionGraceMs = 100;
const longestDelayMs = 60_000;

/** Empties namespaces that are being deleted, and lets them go. */
export const namespaces = defineController({
  name: 'namespace-controller',
  account: 'namespace-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const known = informers.of<NamespaceObject>(path);
    const queue = new WorkQueue<string>({ name: 'namespace', metrics, clock, log, longestDelayMs, workers: 10, process });
    using leftOvers = new LeftOvers(informers, (namespace) => queue.addAfter(namespace, deletionGraceMs));
    using _namespaces = known.subscribe({
      changed({ metadata }) {
        if (metadata.deletionTimestamp !== undefined) queue.addAfter(metadata.name as string, deletionGraceMs);
      },
      deleted: ({ metadata }) => leftOvers.forget(metadata.name as string),
    });
    await queue.run(signal, known.synced);

    async function process(name: string): Promise<void> {
      const namespace = await get(client, name);
      if (namespace?.metadata.deletionTimestamp === undefined || !namespace.spec?.finalizers?.length) return;
      const forMs = clock.now() - Date.parse(namespace.metadata.deletionTimestamp);
      const emptied = await emptyNamespace(client, { name, forMs });
      await report(client, namespace, emptied, clock);
      leftOvers.follow(
        name,
        emptied.left.map((resource) => resourcePath(resource)),
      );
      const { failures, undiscovered, estimateSeconds } = emptied;
      if (failures.length > 0 || undiscovered.size > 0) throw new Error([...undiscovered.values(), ...failures].join(', '));
      if (estimateSeconds > 0) throw new RetryError('content remains', (Math.floor(estimateSeconds / 2) + 1) * 1000);
      await finalize(client, namespace);
    }
  },
});

async function get(client: Client, name: string): Promise<NamespaceObject | undefined> {
  try {
    return (await client.get(`${path}/${name}`)) as NamespaceObject;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Says in the status what there is to say. A change of the namespace by another writer meanwhile brings it back anyway. */
async function report(client: Client, namespace: NamespaceObject, emptied: Emptied, clock: Clock): Promise<void> {
  const known = namespace.status.conditions ?? [];
  const conditions = updatedConditions(known, emptied, timestamp(clock.now()));
  if (conditions === known) return;
  try {
    await client.update(`${path}/${namespace.metadata.name}/status`, { ...namespace, status: { ...namespace.status, conditions } });
  } catch (error) {
    if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
  }
}

async function finalize(client: Client, { metadata }: NamespaceObject): Promise<void> {
  for (;;) {
    const namespace = await get(client, metadata.name as string);
    if (namespace === undefined || namespace.metadata.uid !== metadata.uid) return;
    const finalizers = (namespace.spec.finalizers ?? []).filter((name) => name !== finalizer).toSorted();
    try {
      await client.update(`${path}/${metadata.name}/finalize`, { ...namespace, spec: { finalizers } });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict')) throw error;
    }
  }
}

// Upstream: k8s.io/kubernetes/pkg/controller/resourcequota/resource_quota_controller.go
import { stepByStep } from '../../base/steps.ts';
import type { Quantity } from '../../machinery/quantity.ts';
import { amountsOf } from '../../apis/common/pod-spec/pod-resources.ts';
import type { ResourceQuota } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { discover, preferred } from '../common/served-resources.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import { Monitors } from './monitors.ts';
import { usageOf } from './usage.ts';

type QuotaObject = ResourceQuota & KubeObject;

/** Everything is counted again this often, in case something was missed. */
const resyncMs = 5 * 60_000;
/**
 * Where more objects than this are counted, the next count waits for so long for each, once something is freed: a namespace that loses thousands of objects would be
 * counted for every one of them.
 */
const manyObjects = 500;
const restMsForEach = 0.05;
/** How long a kind that quotas limit may be about to be served. */
const unknownKindMs = 30_000;

/** Says in the status of quotas what their namespaces use: without that, admission lets nothing of it in. */
export const resourceQuota = defineController({
  name: 'resourcequota-controller',
  account: 'resourcequota-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const quotas = informers.of<QuotaObject>('/api/v1/resourcequotas');
    const queue = new WorkQueue<string>({ name: 'resourcequota_primary', metrics, clock, log, process });
    const limits = (quota: QuotaObject): string[] => Object.keys(quota.spec.hard ?? {});
    using monitors = new Monitors(
      informers,
      () => clock.now(),
      (namespace, evaluator) => {
        for (const quota of quotas.values())
          if (quota.metadata.namespace === namespace && limits(quota).some((name) => evaluator.evaluates(name))) countAgain(quota);
      },
    );
    let followed: ReadonlySet<string> = new Set();
    let following: Promise<void> = Promise.resolve();
    using _quotas = quotas.subscribe({
      // The status is of this controller, and of admission.
      changed: (quota, old) => {
        if (old === undefined || !equal(amountsOf(old.spec.hard), amountsOf(quota.spec.hard))) add(quota);
      },
      deleted: add,
    });
    await queue.run(signal, quotas.synced);

    function add(quota: KubeObject): void {
      queue.add(keyOf(quota));
    }

    function countAgain(quota: KubeObject): void {
      const key = keyOf(quota);
      const objects = monitors.count(quota.metadata.namespace ?? '');
      if (objects > manyObjects) queue.addAfter(key, objects * restMsForEach);
      else queue.add(key);
    }

    async function process(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      await follow();
      const quota = quotas.get(namespace, name);
      if (quota === undefined) return;
      const hard = amountsOf(quota.spec.hard);
      const counted = await stepByStep(usageOf(quota, monitors.counted(namespace), clock.now()));
      const used = new Map([...amountsOf(quota.status.used), ...counted].filter(([resource]) => hard.has(resource)));
      const { status } = quota;
      if (status.used === undefined || !equal(hard, amountsOf(status.hard)) || !equal(used, amountsOf(status.used))) {
        const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`;
        await client.update(path, { ...quota, status: { hard: shown(hard), used: shown(used) } });
      }
      queue.addAfter(key, resyncMs);
      if (hard.keys().some((resource) => !counted.has(resource) && resource.startsWith('count/'))) {
        followed = new Set();
        throw new RetryError('a kind that the quota counts is not served', unknownKindMs);
      }
    }

    /** One after the other: what is watched must be what the last of them wanted, not what discovery came back for last. */
    function follow(): Promise<void> {
      following = following.then(followNow, followNow);
      return following;
    }

    /** Watches what quotas limit now. */
    async function followNow(): Promise<void> {
      const names = new Set(quotas.values().flatMap(limits));
      if (names.size === followed.size && names.isSubsetOf(followed)) return;
      await monitors.watch(preferred((await discover(client)).resources), names);
      followed = names;
    }
  },
});

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function shown(amounts: ReadonlyMap<string, Quantity>): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
}

function equal(left: ReadonlyMap<string, Quantity>, right: ReadonlyMap<string, Quantity>): boolean {
  return left.size === right.size && left.entries().every(([name, amount]) => right.get(name)?.compare(amount) === 0);
}

// Upstream: k8s.io/kubernetes/pkg/controller/disruption/disruption.go
import { isReason } from '../../machinery/errors.ts';
import { selectorOf } from '../../machinery/label-selector.ts';
import { LabelSelectorError, Selector } from '../../machinery/labels.ts';
import { timestamp } from '../../machinery/time.ts';
import { defineController } from '../common/controller.ts';
import { IndexOf } from '../common/index-of.ts';
import type { PodObject } from '../common/service-pods.ts';
import { keyOf, namespaceOf } from '../common/service-pods.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import { scaleOf, UncountableError } from './expected-pods.ts';
import type { BudgetObject } from './status.ts';
import { countHealthy, countsOf, disruptedPods, withFailure, withStatus } from './status.ts';

/** How long a pod may say that it is about to be disrupted. */
const staleTargetMs = 2 * 60_000;

/** Says in the status of PodDisruptionBudgets how many pods may be evicted: without that, none may. */
export const disruption = defineController({
  name: 'disruption-controller',
  account: 'disruption-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const budgets = informers.of<BudgetObject>('/apis/policy/v1/poddisruptionbudgets');
    const pods = informers.of<PodObject>('/api/v1/pods');
    const queue = new WorkQueue<string>({ name: 'disruption', metrics, clock, log, process });
    const stale = new WorkQueue<string>({ name: 'stale_pod_disruption', metrics, clock, log, process: clearTarget });
    using budgetsByNamespace = new IndexOf(budgets, namespaceOf);
    using podsByNamespace = new IndexOf(pods, namespaceOf);
    const addBudgetsOf = ({ metadata }: PodObject): void => {
      for (const budget of budgetsByNamespace.get(metadata.namespace ?? ''))
        if (selects(budget).matches(metadata.labels ?? {})) queue.add(keyOf(budget));
    };
    using _budgets = budgets.subscribe({ changed: (budget) => queue.add(keyOf(budget)) });
    using _pods = pods.subscribe({
      changed: (pod, old) => {
        addBudgetsOf(pod);
        if (old !== undefined && JSON.stringify(old.metadata.labels) !== JSON.stringify(pod.metadata.labels)) addBudgetsOf(old);
        if (staleAt(pod) !== undefined) stale.add(keyOf(pod));
      },
      deleted: addBudgetsOf,
    });
    await Promise.all([queue.run(signal, budgets.synced, pods.synced), stale.run(signal, pods.synced)]);

    async function process(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      const budget = budgets.get(namespace, name);
      if (budget === undefined) return;
      const selector = selects(budget);
      const selected = [...podsByNamespace.get(namespace).filter(({ metadata }) => selector.matches(metadata.labels ?? {}))];
      const now = clock.now();
      const { map, until } = disruptedPods(budget, selected, now);
      let next: BudgetObject;
      try {
        const counts = await countsOf(budget, selected, () => scaleOf(client, selected));
        next = withStatus(budget, { ...counts, disrupted: map, currentHealthy: countHealthy(selected, map, now), now: timestamp(now) });
      } catch (error) {
        if (!(error instanceof UncountableError)) throw error;
        next = withFailure(budget, error.message, timestamp(now));
      }
      if (next !== budget) await write(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}/status`, next);
      if (until !== undefined) queue.addAfter(key, until - now + 1);
    }

    async function write(path: string, object: BudgetObject | PodObject): Promise<void> {
      try {
        await client.update(path, object);
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }

    async function clearTarget(key: string): Promise<void> {
      const [namespace = '', name = ''] = key.split('/');
      const pod = pods.get(namespace, name);
      const at = pod && staleAt(pod);
      if (pod === undefined || at === undefined) return;
      const now = clock.now();
      if (at > now) throw new RetryError('not yet', at - now);
      const { generation } = pod.metadata;
      const condition = {
        type: 'DisruptionTarget',
        ...(generation !== undefined && { observedGeneration: generation }),
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: timestamp(now),
      };
      const conditions = (pod.status.conditions ?? []).map((one) => (one.type === condition.type ? condition : one));
      await write(`/api/v1/namespaces/${namespace}/pods/${name}/status`, { ...pod, status: { ...pod.status, conditions } });
    }
  },
});

function selects({ spec }: BudgetObject): Selector {
  try {
    return selectorOf(spec.selector);
  } catch (error) {
    if (error instanceof LabelSelectorError) return Selector.nothing;
    throw error;
  }
}

/** When a pod that says that it is about to be disrupted, and has not been, is to say so no longer. Kubelets take their time. */
function staleAt({ metadata, status }: PodObject): number | undefined {
  if (metadata.deletionTimestamp !== undefined || status.phase === 'Failed' || status.phase === 'Succeeded') return undefined;
  const target = (status.conditions ?? []).find(({ type }) => type === 'DisruptionTarget');
  if (target?.status !== 'True' || target.reason === 'TerminationByKubelet') return undefined;
  return Date.parse(target.lastTransitionTime ?? '') + staleTargetMs;
}

// Upstream: k8s.io/kubernetes/pkg/controller/podgc/gc_controller.go
import { pause, whenAborted } from '../../base/pause.ts';
import { isReason } from '../../machinery/errors.ts';
import { timestamp } from '../../machinery/time.ts';
import type { Node, Pod, PodCondition } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';

type PodObject = Pod & KubeObject;
type NodeObject = Node & KubeObject;

const periodMs = 20_000;
/** How long a node may be missing before its pods go. */
const quarantineMs = 40_000;
/** kube-controller-manager's default of --terminated-pod-gc-threshold */
const terminatedPodThreshold = 12_500;

/** Deletes pods that no kubelet will ever finish: those of nodes that are gone, those without a node, and the oldest of very many that have ended. */
export const podGarbageCollector = defineController({
  name: 'pod-garbage-collector-controller',
  account: 'pod-garbage-collector',
  async run({ client, informers, clock, log, signal }) {
    const pods = informers.of<PodObject>('/api/v1/pods');
    const nodes = informers.of<NodeObject>('/api/v1/nodes');
    /** when nodes that pods name were missed first */
    const missing = new Map<string, number>();
    using _pods = pods.subscribe({});
    using _nodes = nodes.subscribe({});
    await Promise.race([Promise.all([pods.synced, nodes.synced]), whenAborted(signal)]);
    while (!signal.aborted) {
      await collect();
      await pause(clock, periodMs, signal);
    }

    async function collect(): Promise<void> {
      const gone = await goneNodes();
      const known = [...pods.values()];
      const tooMany = surplus(known, terminatedPodThreshold);
      for (const pod of known) {
        if (signal.aborted) return;
        const { nodeName = '' } = pod.spec;
        const isTerminating = pod.metadata.deletionTimestamp !== undefined;
        const node = nodes.get('', nodeName);
        if (gone.has(nodeName)) await remove(pod, true);
        else if (tooMany.has(pod) || (isTerminating && (nodeName === '' || (node !== undefined && isOutOfService(node)))))
          await remove(pod, false);
      }
    }

    /** Nodes that pods name and that have not been there for some time. */
    async function goneNodes(): Promise<Set<string>> {
      const now = clock.now();
      const absent = new Set<string>();
      for (const { spec } of pods.values()) if (spec.nodeName && nodes.get('', spec.nodeName) === undefined) absent.add(spec.nodeName);
      for (const name of missing.keys()) if (!absent.has(name)) missing.delete(name);
      const gone = new Set<string>();
      for (const name of absent) {
        const since = missing.get(name) ?? now;
        missing.set(name, since);
        if (now - since >= quarantineMs && !(await nodeIsThere(name))) gone.add(name);
      }
      return gone;
    }

    /** What is known here may be behind. */
    async function nodeIsThere(name: string): Promise<boolean> {
      try {
        await client.get(`/api/v1/nodes/${encodeURIComponent(name)}`);
        return true;
      } catch (error) {
        if (isReason(error, 'NotFound')) return false;
        log.error('failed to get Node', { node: name, err: error });
        return true;
      }
    }

    async function remove(pod: PodObject, isOrphan: boolean): Promise<void> {
      const { namespace, name, uid = '' } = pod.metadata;
      const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
      try {
        // Clients that wait for the pod to end would wait for ever: no kubelet says so.
        if (!hasEnded(pod)) await client.patch(`${path}/status`, { metadata: { uid }, status: failed(pod, isOrphan) });
        await client.delete(path, { propagationPolicy: 'Background', gracePeriodSeconds: 0, preconditions: { uid } });
      } catch (error) {
        if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict'))
          log.error('failed to delete Pod', { pod: `${namespace}/${name}`, err: error });
      }
    }

    function failed({ metadata, status }: PodObject, isOrphan: boolean): object {
      const { generation } = metadata;
      const observed = generation === undefined ? {} : { observedGeneration: generation };
      if (!isOrphan) return { phase: 'Failed', ...observed };
      const { conditions = [] } = status;
      const old = conditions.find(({ type }) => type === 'DisruptionTarget');
      const condition: PodCondition = {
        type: 'DisruptionTarget',
        ...observed,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: old?.status === 'True' ? old.lastTransitionTime : timestamp(clock.now()),
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      };
      const next = old === undefined ? [...conditions, condition] : conditions.map((one) => (one === old ? condition : one));
      return { phase: 'Failed', ...observed, conditions: next };
    }
  },
});

function hasEnded({ status }: PodObject): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}

/** A node that an administrator has declared dead, and that is not ready. */
function isOutOfService({ spec, status }: NodeObject): boolean {
  const isReady = (status.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
  return !isReady && (spec.taints ?? []).some(({ key }) => key === 'node.kubernetes.io/out-of-service');
}

/** Pods that have ended beyond a number of them: evicted ones first, then the oldest. */
export function surplus(pods: readonly PodObject[], threshold: number): Set<PodObject> {
  const ended = pods.filter(hasEnded);
  if (ended.length <= threshold) return new Set();
  const rank = ({ metadata, status }: PodObject): string =>
    `${status.phase === 'Failed' && status.reason === 'Evicted' ? 0 : 1} ${metadata.creationTimestamp} ${metadata.name}`;
  const ranked = ended.map((pod) => ({ pod, rank: rank(pod) })).toSorted((left, right) => (left.rank < right.rank ? -1 : 1));
  return new Set(ranked.slice(0, ended.length - threshold).map(({ pod }) => pod));
}

// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printPod
import { findCondition } from '../../../machinery/conditions.ts';
import type { ContainerStatus, PodStatus } from '../../../schema/types/core-v1.ts';
import type { Column } from '../../../table/column.ts';
import { age, ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import type { RowCondition } from '../../../table/table.ts';
import { isRestartableInitContainer } from '../../common/pod-spec/containers.ts';
import type { PodObject } from './pod-object.ts';

/** What the first columns tell about the containers. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

function summaryOf(pod: PodObject): Summary {
  const { spec, metadata } = pod;
  const status: PodStatus = pod.status ?? {};
  const sidecars = new Set((spec.initContainers ?? []).filter(isRestartableInitContainer).map(({ name }) => name));
  const total = (spec.containers?.length ?? 0) + sidecars.size;
  let reason: string = status.reason || (status.phase ?? '');
  if (status.conditions?.some((each) => each.type === 'PodScheduled' && each.reason === 'SchedulingGated')) reason = 'SchedulingGated';

  const init = initSummary(pod, sidecars);
  let { restarts, lastRestart, ready } = init;
  if (init.reason !== undefined) reason = init.reason;
  if (init.reason === undefined || findCondition(status.conditions, 'Initialized')?.status === 'True') {
    restarts = init.sidecarRestarts;
    lastRestart = init.lastSidecarRestart;
    let running = false;
    let failure = '';
    for (const container of (status.containerStatuses ?? []).toReversed()) {
      const { state, restartCount } = container;
      restarts += restartCount;
      lastRestart = later(lastRestart, container);
      if (state?.waiting?.reason) reason = state.waiting.reason;
      else if (state?.terminated !== undefined) {
        const { terminated } = state;
        reason = terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`);
        if (terminated.exitCode !== 0) failure = reason;
      } else if (container.ready && state?.running !== undefined) {
        running = true;
        ready++;
      }
    }
    if (reason === 'Completed') {
      const podReady = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
      if (running && podReady) reason = 'Running';
      else if (failure !== '') reason = failure;
      else if (running) reason = 'NotReady';
    }
  }
  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') reason = 'Unknown';
    else if (status.phase !== 'Failed' && status.phase !== 'Succeeded') reason = 'Terminating';
  }
  return { ready, total, reason, restarts, lastRestart };
}

interface InitSummary {
  /** undefined: initialization is over */
  readonly reason: string | undefined;
  restarts: number;
  lastRestart: string | undefined;
  sidecarRestarts: number;
  lastSidecarRestart: string | undefined;
  ready: number;
}

function initSummary({ spec, status }: PodObject, sidecars: ReadonlySet<string>): InitSummary {
  const summary: InitSummary & { reason: string | undefined } = {
    reason: undefined,
    restarts: 0,
    lastRestart: undefined,
    sidecarRestarts: 0,
    lastSidecarRestart: undefined,
    ready: 0,
  };
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const { state, restartCount } = container;
    const sidecar = sidecars.has(container.name);
    summary.restarts += restartCount;
    summary.lastRestart = later(summary.lastRestart, container);
    if (sidecar) {
      summary.sidecarRestarts += restartCount;
      summary.lastSidecarRestart = later(summary.lastSidecarRestart, container);
    }
    if (state?.terminated?.exitCode === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready) summary.ready++;
      continue;
    }
    if (state?.terminated !== undefined) {
      const { reason, signal, exitCode } = state.terminated;
      summary.reason = `Init:${reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`)}`;
    } else if (state?.waiting?.reason && state.waiting.reason !== 'PodInitializing') summary.reason = `Init:${state.waiting.reason}`;
    else summary.reason = `Init:${index}/${spec.initContainers?.length ?? 0}`;
    break;
  }
  return summary;
}

function later(known: string | undefined, { lastState }: ContainerStatus): string | undefined {
  const finished = lastState?.terminated?.finishedAt ?? undefined;
  return finished && (known === undefined || finished > known) ? finished : known;
}

function readinessGates({ spec, status }: PodObject): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => findCondition(status?.conditions, conditionType)?.status === 'True');
  return `${open.length}/${gates.length}`;
}

const statusType = 'io.k8s.api.core.v1.PodStatus';
const specType = 'io.k8s.api.core.v1.PodSpec';

export const podColumns: readonly Column<PodObject>[] = [
  {
    name: 'Ready',
    type: 'string',
    description: 'The aggregate readiness state of this pod for accepting traffic.',
    cell(pod) {
      const { ready, total } = summaryOf(pod);
      return `${ready}/${total}`;
    },
  },
  {
    name: 'Status',
    type: 'string',
    description: 'The aggregate status of the containers in this pod.',
    cell: (pod) => summaryOf(pod).reason,
  },
  {
    name: 'Restarts',
    type: 'string',
    description:
      'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
    cell(pod, clock) {
      const { restarts, lastRestart } = summaryOf(pod);
      return restarts !== 0 && lastRestart !== undefined ? `${restarts} (${age(lastRestart, clock)} ago)` : String(restarts);
    },
  },
  ageColumn,
  {
    name: 'IP',
    type: 'string',
    priority: 1,
    description: docOf(statusType, 'podIP'),
    cell: ({ status }) => status?.podIPs?.[0]?.ip || '<none>',
  },
  { name: 'Node', type: 'string', priority: 1, description: docOf(specType, 'nodeName'), cell: ({ spec }) => spec.nodeName || '<none>' },
  {
    name: 'Nominated Node',
    type: 'string',
    priority: 1,
    description: docOf(statusType, 'nominatedNodeName'),
    cell: ({ status }) => status?.nominatedNodeName || '<none>',
  },
  { name: 'Readiness Gates', type: 'string', priority: 1, description: docOf(specType, 'readinessGates'), cell: readinessGates },
];

/** Pods that have ended. */
export function podRowConditions({ status }: PodObject): readonly RowCondition[] {
  switch (status?.phase) {
    case 'Succeeded':
      return [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }];
    case 'Failed':
      return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }];
    default:
      return [];
  }
}

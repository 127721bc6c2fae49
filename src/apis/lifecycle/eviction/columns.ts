// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printEviction
import type { EvictionStatus, ResponderStatus, TargetResponder } from '../../../schema/types/lifecycle-v1alpha1.ts';
import type { Column } from '../../../table/column.ts';
import { age, ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { humanDuration } from '../../../table/human-duration.ts';
import type { TableClock } from '../../../table/table-clock.ts';
import { evictionStatusText } from '../../common/eviction-status.ts';
import { listWithMore } from '../../common/list-with-more.ts';
import type { EvictionObject } from './status-validation.ts';
import { finalStates } from './targets.ts';

const prefix = 'io.k8s.api.lifecycle.v1alpha1';
const responderType = `${prefix}.ResponderStatus`;

export const columns: readonly Column<EvictionObject>[] = [
  {
    name: 'Target',
    type: 'string',
    description: docOf(`${prefix}.EvictionSpec`, 'target'),
    cell: ({ spec }) => spec.target.pod?.name ?? '<unset>',
  },
  {
    name: 'Target Type',
    type: 'string',
    description: docOf(`${prefix}.EvictionSpec`, 'target'),
    cell: ({ spec }) => (spec.target.pod === undefined ? '<unset>' : 'Pod'),
  },
  {
    name: 'Status',
    type: 'string',
    description: docOf(`${prefix}.EvictionStatus`, 'conditions'),
    cell: ({ status }) => evictionStatusText(status),
  },
  {
    name: 'Active Responder',
    type: 'string',
    description: docOf(`${prefix}.TargetResponder`, 'state'),
    cell: ({ status }) => `${currentOf(status)?.name ?? '<unset>'} (${begun(status).length}/${status.targetResponders?.length ?? 0})`,
  },
  {
    name: 'Responder Status',
    type: 'string',
    description: docOf(responderType, ''),
    cell: ({ status }, clock) => stateText(currentOf(status), reportOf(status), clock),
  },
  {
    name: 'Responder Expected Finish',
    type: 'string',
    description: docOf(responderType, 'expectedCompletionTime'),
    cell: ({ status }, { now }) => finishText(currentOf(status), reportOf(status), now),
  },
  {
    name: 'Requesters',
    type: 'string',
    description: docOf(`${prefix}.EvictionStatus`, 'requesters'),
    cell: ({ status }) => requestersText(status),
  },
  ageColumn,
  {
    name: 'Responder Heartbeat',
    type: 'string',
    priority: 1,
    description: docOf(responderType, 'heartbeatTime'),
    cell({ status }, clock) {
      const { heartbeatTime } = reportOf(status) ?? {};
      return heartbeatTime === undefined ? '<unset>' : `${age(heartbeatTime, clock)} ago`;
    },
  },
  {
    name: 'Responder Status Message',
    type: 'string',
    priority: 1,
    description: docOf(responderType, 'message'),
    cell: ({ status }) => reportOf(status)?.message?.trim() || '<unset>',
  },
];

function begun({ targetResponders = [] }: EvictionStatus): TargetResponder[] {
  return targetResponders.filter(({ state }) => state === 'Active' || finalStates.includes(state));
}

/** The responder that is at work, else the last one that was. */
function currentOf(status: EvictionStatus): TargetResponder | undefined {
  const all = begun(status);
  return all.findLast(({ state }) => state === 'Active') ?? all.at(-1);
}

function reportOf(status: EvictionStatus): ResponderStatus | undefined {
  const current = currentOf(status);
  return current && status.responders?.find(({ name }) => name === current.name);
}

function stateText(current: TargetResponder | undefined, report: ResponderStatus | undefined, clock: TableClock): string {
  if (current === undefined || report === undefined) return '<unset>';
  const { startTime, completionTime } = report;
  if (current.state === 'Active' && startTime !== undefined) return `Started (${age(startTime, clock)} ago)`;
  if (current.state === 'Completed' && completionTime !== undefined) return `Completed (${age(completionTime, clock)} ago)`;
  return current.state;
}

function finishText(current: TargetResponder | undefined, report: ResponderStatus | undefined, now: number): string {
  if (current === undefined || report === undefined) return '<unknown>';
  if (current.state !== 'Active') return '-';
  const { startTime, expectedCompletionTime } = report;
  if (startTime === undefined || expectedCompletionTime === undefined) return '<unknown>';
  const remaining = Date.parse(expectedCompletionTime) - now;
  return remaining > 0 ? `in ${humanDuration(remaining)}` : `${humanDuration(-remaining)} ago`;
}

function requestersText({ requesters = [] }: EvictionStatus): string {
  if (requesters.length === 0) return '<none>';
  const names = requesters.filter(({ intent }) => intent !== 'Withdrawn').map(({ name }) => name);
  return names.length === 0 ? '<withdrawn>' : listWithMore(names.sort(), 1);
}

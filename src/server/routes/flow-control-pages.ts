// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/apf_controller_debug.go
import { formatDuration } from '../../machinery/duration.ts';
import type { FlowController } from '../access/flow-control/flow-controller.ts';
import type { PriorityLevel } from '../access/flow-control/priority-level.ts';
import type { QueuedRequest } from '../access/flow-control/queue-set.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Request } from '../http/request.ts';
import { pageResponse } from '../http/response.ts';
import { found } from '../request/stages.ts';

const folder = '/debug/api_priority_and_fairness';

type Row = readonly (string | number | boolean)[];

/** Pages for people who wonder why requests wait. */
export function installFlowControlPages(mux: PathMux, controller: FlowController): void {
  const page = (name: string, rows: (request: Request) => Iterable<Row>): void =>
    mux.handleUnlisted(`${folder}/${name}`, (request) => pageResponse(table([...rows(request)]), 'text/plain; charset=utf-8'));
  const levels = (): PriorityLevel[] => [...controller.levels].toSorted((a, b) => (a.object.name < b.object.name ? -1 : 1));
  page('dump_priority_levels', () => [levelColumns, ...levels().map(levelRow)]);
  page('dump_queues', () => [queueColumns, ...levels().flatMap(queueRows)]);
  page('dump_requests', (request) => {
    const detailed = (request.query.get('includeRequestDetails') ?? '') !== '';
    const columns = detailed ? [...requestColumns, ...detailColumns] : requestColumns;
    return [columns, ...levels().flatMap((level) => [...requestRows(level, detailed)])];
  });
}

const levelColumns: Row = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

function levelRow({ object, queues, isQuiescing }: PriorityLevel): Row {
  const active = queues.queues.filter(({ waiting }) => waiting.size > 0).length;
  const counts = [queues.waiting, queues.executing, queues.dispatched, queues.rejected, 0, queues.cancelled];
  return [object.name, active, queues.isIdle, isQuiescing, ...counts];
}

const queueColumns: Row = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

function queueRows({ object, queues }: PriorityLevel): Row[] {
  return queues.queues.map(({ index, waiting, executing, seatsInUse, nextDispatch, waitingSeats, waitingWork }) => {
    const initial = [...waiting].reduce((sum, { initialSeats }) => sum + initialSeats, 0);
    return [
      object.name,
      index,
      waiting.size,
      executing,
      seatsInUse,
      seatSeconds(nextDispatch),
      initial,
      waitingSeats,
      seatSeconds(waitingWork),
    ];
  });
}

const requestColumns: Row = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const detailColumns: Row = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

function* requestRows({ object, queues }: PriorityLevel, detailed: boolean): Generator<Row> {
  const row = (one: QueuedRequest, index: number): Row => {
    const { flow, initialSeats, finalSeats, additionalLatencyMs, arrivedAt, startedAt, queue } = one;
    const latency = formatDuration(BigInt(Math.round(additionalLatencyMs * 1e6)));
    const start = startedAt === undefined ? '0001-01-01T00:00:00Z' : timeOf(startedAt);
    const about = [object.name, flow.schema, queue?.index ?? -1, index, flow.distinguisher, timeOf(arrivedAt)];
    return [...about, initialSeats, finalSeats, latency, start, ...(detailed ? detailsOf(one) : [])];
  };
  for (const { waiting } of queues.queues) for (const [index, one] of [...waiting].entries()) yield row(one, index);
  for (const one of queues.underWay) yield row(one, -1);
}

function detailsOf({ request }: QueuedRequest): Row {
  const { verb, path, namespace, name, group, version, resource, subresource } = request.info;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [found(request).user?.name ?? '', verb, path, namespace, name, apiVersion, resource, subresource];
}

/** of the monotonic clock */
function timeOf(milliseconds: number): string {
  return new Date(performance.timeOrigin + milliseconds).toISOString();
}

function seatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(8)}ss`;
}

/** Columns of equal width, commas after each but the last. */
function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map((cell, index) => (index < row.length - 1 ? `${String(cell)},` : String(cell))));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(7, ...cells.map((row) => row[column]?.length ?? 0)) + 1);
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)).join('');
  return cells.map((row) => `${line(row)}\n`).join('');
}

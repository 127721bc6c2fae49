// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printJob
import type { Column } from '../../../table/column.ts';
import { age, ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { humanDuration } from '../../../table/human-duration.ts';
import type { TableClock } from '../../../table/table-clock.ts';
import { containerColumns, selectorColumn } from '../../common/workload/columns.ts';
import type { JobObject } from './definition.ts';

export const jobColumns: readonly Column<JobObject>[] = [
  { name: 'Status', type: 'string', description: 'Status of the job.', cell: statusOf },
  { name: 'Completions', type: 'string', description: docOf('io.k8s.api.batch.v1.JobStatus', 'succeeded'), cell: completionsOf },
  { name: 'Duration', type: 'string', description: 'Time required to complete the job.', cell: durationOf },
  ageColumn,
  ...containerColumns<JobObject>(({ spec }) => spec.template.spec.containers),
  selectorColumn('io.k8s.api.batch.v1.JobSpec', ({ spec }) => spec.selector),
];

function statusOf({ metadata, status }: JobObject): string {
  const has = (type: string): boolean =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
  const final = ['Complete', 'Failed'].find(has);
  if (final !== undefined) return final;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function completionsOf({ spec: { completions, parallelism = 0 }, status }: JobObject): string {
  const succeeded = status?.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status }: JobObject, clock: TableClock): string {
  if (!status?.startTime) return '';
  if (!status.completionTime) return age(status.startTime, clock);
  return humanDuration(Date.parse(status.completionTime) - Date.parse(status.startTime));
}

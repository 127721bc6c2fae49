// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printResourcePoolStatusRequest
import type { Column } from '../../../table/column.ts';
import { age } from '../../../table/common-columns.ts';
import type { PoolStatus } from '../../../schema/types/resource-v1alpha3.ts';
import type { PoolStatusRequestObject } from './validation.ts';

type RequestColumn = Column<PoolStatusRequestObject>;

export const columns: readonly RequestColumn[] = [
  { name: 'Driver', type: 'string', description: 'The driver to query pools for.', cell: ({ spec }) => spec.driver },
  sumColumn('Total', 'Total number of devices across all pools.', ({ totalDevices }) => totalDevices),
  sumColumn('Available', 'Number of available devices across all pools.', ({ availableDevices }) => availableDevices),
  sumColumn('Allocated', 'Number of allocated devices across all pools.', ({ allocatedDevices }) => allocatedDevices),
  sumColumn('Unavailable', 'Number of unavailable devices across all pools.', ({ unavailableDevices }) => unavailableDevices),
  sumColumn('Errors', 'Number of pools with validation errors.', ({ validationError }) => (validationError === undefined ? 0 : 1)),
  { name: 'Pools', type: 'integer', description: 'Total number of matching pools.', cell: ({ status }) => status?.poolCount ?? 0 },
  { name: 'Status', type: 'string', description: 'Processing status.', cell: progressOf },
  {
    name: 'Completed',
    type: 'string',
    description: 'Time since the observation completed.',
    cell(request, clock) {
      const outcome = outcomeOf(request);
      return outcome?.type === 'Complete' ? age(outcome.lastTransitionTime, clock) : '<none>';
    },
  },
];

/** Over all pools; nothing is known before there is a status, nor of a failure. */
function sumColumn(name: string, description: string, count: (pool: PoolStatus) => number | undefined): RequestColumn {
  return {
    name,
    type: 'string',
    description,
    cell(request) {
      if (request.status === undefined || outcomeOf(request)?.type === 'Failed') return '-';
      return String((request.status.pools ?? []).reduce((sum, pool) => sum + (count(pool) ?? 0), 0));
    },
  };
}

function progressOf(request: PoolStatusRequestObject): string {
  const { pools = [], poolCount = 0 } = request.status ?? {};
  const outcome = outcomeOf(request)?.type ?? 'Pending';
  return outcome === 'Complete' && poolCount > pools.length ? `Complete (${pools.length}/${poolCount} pools)` : outcome;
}

function outcomeOf({ status }: PoolStatusRequestObject): { type: string; lastTransitionTime: string | null } | undefined {
  return status?.conditions?.find(({ type, status: held }) => (type === 'Complete' || type === 'Failed') && held === 'True');
}

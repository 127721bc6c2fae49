// Upstream: k8s.io/kubernetes/pkg/registry/core/resourcequota/strategy.go
import type { ResourceQuota } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { roundResources } from '../../common/pod-spec/defaults.ts';
import { validate, validateStatusUpdate, validateUpdate } from './validation.ts';

type Quota = ResourceQuota & KubeObject;

export const resourceQuotas = defineResource<Quota>({
  group: '',
  plural: 'resourcequotas',
  strategy: {
    defaults({ spec, status }) {
      for (const list of [spec?.hard, status?.hard, status?.used]) roundResources(list);
    },
    validate,
    validateUpdate,
    returnDeletedObject: true,
  },
  status: { validateUpdate: validateStatusUpdate },
  columns: [
    {
      name: 'Request',
      type: 'string',
      description: 'Request represents a minimum amount of cpu/memory that a container may consume.',
      cell: (quota) => usage(quota, false),
    },
    {
      name: 'Limit',
      type: 'string',
      description: 'Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.',
      cell: (quota) => usage(quota, true),
    },
    ageColumn,
  ],
});

/** `cpu: 1/2, pods: 3/10` */
function usage({ status: { hard = {}, used = {} } = {} }: Quota, limits: boolean): string {
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort()
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}

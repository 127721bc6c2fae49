// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printDeviceTaint
import type { Column } from '../../../table/column.ts';
import { age, ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import type { DeviceTaintRuleObject } from './validation.ts';

const taintType = 'io.k8s.api.resource.v1.DeviceTaint';

export const columns: readonly Column<DeviceTaintRuleObject>[] = [
  { name: 'Key', type: 'string', description: docOf(taintType, 'key'), cell: ({ spec }) => spec.taint.key },
  { name: 'Value', type: 'string', description: docOf(taintType, 'value'), cell: ({ spec }) => spec.taint.value ?? '' },
  { name: 'Effect', type: 'string', description: docOf(taintType, 'effect'), cell: ({ spec }) => spec.taint.effect },
  {
    name: 'TimeAdded',
    type: 'string',
    description: docOf(taintType, 'timeAdded'),
    cell: ({ spec: { taint } }, clock) => (taint.timeAdded === undefined ? '' : age(taint.timeAdded, clock)),
  },
  ageColumn,
];

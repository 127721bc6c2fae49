// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printHorizontalPodAutoscaler
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget } from '../../../schema/types/autoscaling-v2.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import type { FieldDoc } from '../../../table/described.ts';
import { docOf } from '../../../table/described.ts';

const specType = 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec';
const statusType = 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus';
const shownMetrics = 2;
const unknown = '<unknown>';
/** what upstream prints for a quantity that is not there */
const none = '<nil>';

type Autoscaler = HorizontalPodAutoscaler & KubeObject;

export const columns: readonly Column<Autoscaler>[] = [
  column('Reference', docOf(specType, 'scaleTargetRef'), ({ spec: { scaleTargetRef: target } }) => `${target.kind}/${target.name}`),
  column('Targets', docOf(specType, 'metrics'), ({ spec, status }) => targets(spec.metrics ?? [], status.currentMetrics ?? [])),
  column('MinPods', docOf(specType, 'minReplicas'), ({ spec }) => String(spec.minReplicas ?? '<unset>')),
  column('MaxPods', docOf(specType, 'maxReplicas'), ({ spec }) => spec.maxReplicas),
  column('Replicas', docOf(statusType, 'currentReplicas'), ({ status }) => status.currentReplicas ?? 0),
  ageColumn,
];

function column(name: string, description: FieldDoc, cell: Column<Autoscaler>['cell']): Column<Autoscaler> {
  return { name, type: 'string', description, cell };
}

function targets(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return '<none>';
  const list = specs.map((spec, index) => target(spec, statuses[index]));
  const shown = list.slice(0, shownMetrics).join(', ');
  return list.length > shownMetrics ? `${shown} + ${list.length - shownMetrics} more...` : shown;
}

function target(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return valueTarget(spec.external?.target, status?.external?.current);
    case 'Object':
      return valueTarget(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods ? (status.pods.current.averageValue ?? none) : unknown}/${spec.pods?.target.averageValue ?? none}`;
    case 'Resource':
      return `${spec.resource?.name ?? ''}: ${usageTarget(spec.resource?.target, status?.resource?.current)}`;
    case 'ContainerResource':
      return `${spec.containerResource?.name ?? ''}: ${usageTarget(spec.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

type Current = MetricStatus['resource'] extends { current: infer C } | undefined ? C : never;

function valueTarget(wanted: MetricTarget | undefined, current: Current | undefined): string {
  if (wanted?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${wanted.averageValue} (avg)`;
  return `${current === undefined ? unknown : (current.value ?? none)}/${wanted?.value ?? none}`;
}

function usageTarget(wanted: MetricTarget | undefined, current: Current | undefined): string {
  if (wanted?.averageValue !== undefined) {
    return `${current === undefined ? unknown : (current.averageValue ?? none)}/${wanted.averageValue}`;
  }
  const percent = (value: number | undefined, otherwise: string): string => (value === undefined ? otherwise : `${value}%`);
  return `${percent(current?.averageUtilization, unknown)}/${percent(wanted?.averageUtilization, '<auto>')}`;
}

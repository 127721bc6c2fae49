// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printPodGroup, #printCompositePodGroup
import type { Column } from '../../table/column.ts';
import { docOf } from '../../table/described.ts';

interface AnyPodGroup {
  readonly spec: {
    readonly schedulingPolicy: { readonly gang?: object };
    readonly workloadRef?: { readonly workloadName: string } | null;
  };
}

/** How a group of pods, or a group of groups, is scheduled, and what it belongs to. */
export function podGroupColumns(specType: string): readonly Column<AnyPodGroup>[] {
  return [
    {
      name: 'Policy',
      type: 'string',
      description: docOf(specType, 'schedulingPolicy'),
      cell: ({ spec }) => (spec.schedulingPolicy.gang === undefined ? 'Basic' : 'Gang'),
    },
    {
      name: 'Workload',
      type: 'string',
      description: 'Name of the referenced Workload object',
      cell: ({ spec }) => spec.workloadRef?.workloadName ?? '<none>',
    },
  ];
}

// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#layoutContainerCells
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import { formatLabelSelector } from '../../../machinery/label-selector.ts';
import type { Container } from '../../../schema/types/core-v1.ts';
import type { Column } from '../../../table/column.ts';
import { docOf } from '../../../table/described.ts';

/** Names and images of a template's containers, for wide output. */
export function containerColumns<T>(containersOf: (object: T) => readonly Container[] | null | undefined): Column<T>[] {
  const joined = (object: T, field: 'name' | 'image'): string =>
    (containersOf(object) ?? []).map((container) => container[field] ?? '').join(',');
  return [
    {
      name: 'Containers',
      type: 'string',
      priority: 1,
      description: 'Names of each container in the template.',
      cell: (object) => joined(object, 'name'),
    },
    {
      name: 'Images',
      type: 'string',
      priority: 1,
      description: 'Images referenced by each container in the template.',
      cell: (object) => joined(object, 'image'),
    },
  ];
}

/** A number of the status or spec, by its field. */
export function countColumn<T>(
  name: string,
  type: 'integer' | 'string',
  of: readonly [type: string, field: string],
  cell: (object: T) => number,
): Column<T> {
  return { name, type, description: docOf(...of), cell };
}

export function selectorColumn<T>(ofType: string, selectorOf: (object: T) => LabelSelector | null | undefined): Column<T> {
  return {
    name: 'Selector',
    type: 'string',
    priority: 1,
    description: docOf(ofType, 'selector'),
    cell: (object) => formatLabelSelector(selectorOf(object) ?? undefined),
  };
}

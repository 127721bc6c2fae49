// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/reconcile_schema.go
import { leaf, hasChildren } from './field-set.ts';
import type { FieldSet, MutableFieldSet } from './field-set.ts';
import { isDeducedMap } from './shape.ts';
import type { Shape } from './shape.ts';

/**
 * A set as it reads under today's shape: where a list or map has become atomic since it was written, its managers own the whole.
 * Gives the same set where nothing changed.
 */
export function reconcileSet(shape: Shape, set: FieldSet): FieldSet {
  return reconcileNode(shape, set, true);
}

function reconcileNode(shape: Shape, node: FieldSet, root: boolean): FieldSet {
  if (!root && !hasChildren(node)) return node;
  const { map, scalar, list } = shape;
  if (map !== undefined) {
    if (isDeducedMap(map)) return node;
    if (map.atomic) return root ? node : leaf;
    return reconcileBelow(node, (element) => map.byElement.get(element) ?? map.element);
  }
  if (scalar !== undefined || list === undefined) return node;
  if (list.atomic) return leaf;
  return reconcileBelow(node, () => list.element);
}

function reconcileBelow(node: FieldSet, shapeOf: (element: string) => Shape | undefined): FieldSet {
  let changed: MutableFieldSet | undefined;
  for (const element in node) {
    if (element === '.') continue;
    const shape = shapeOf(element);
    if (shape === undefined) continue;
    const before = node[element]!;
    const after = reconcileNode(shape, before, false);
    // The spread keeps the elements' order; assigning to one that is there does too.
    if (after !== before) (changed ??= { ...node })[element] = after;
  }
  return changed ?? node;
}

// Upstream: k8s.io/kubernetes/pkg/apis/lifecycle/validation/validation.go#ValidateEvictionStatusUpdate
import { validateConditions } from '../../../machinery/conditions.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import type { Eviction, EvictionStatus } from '../../../schema/types/lifecycle-v1alpha1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateResponders } from './responders.ts';
import { validateTargets } from './targets.ts';

export type EvictionObject = Eviction & KubeObject;

/** Conditions that end an eviction. */
const ends: readonly string[] = ['TargetEvicted', 'Failed'];
const conditionsPath = FieldPath.root('status', 'conditions');

/** Several parties write the status; each may only do its own part, in the order in which responders take their turns. */
export function validateStatus({ status }: EvictionObject, { status: old }: EvictionObject, context: WriteContext): FieldError[] {
  const type = typeAt(context.reader.resource('lifecycle.k8s.io', 'evictions').storage.type, 'status');
  const errors = validateConditions(status.conditions as Parameters<typeof validateConditions>[0], conditionsPath);
  const shown = internalValue(typeAt(type, 'conditions'), status.conditions);
  const taken = ends.filter((end) => isTakenBack(end, status, old));
  // in the order of the old conditions
  for (const condition of old.conditions ?? []) {
    if (!taken.includes(condition.type)) continue;
    errors.push(invalid(conditionsPath, shown, `${condition.type} condition status cannot be reverted`));
  }
  // an end that an update tries to take back still is one
  const isFinal = ends.some((end) => isTrue(status, end) || taken.includes(end));
  const now = Date.parse(context.now);
  return [...errors, ...validateTargets(status, old, { isFinal, now, type }), ...validateResponders(status, old, { now, type })];
}

function isTrue({ conditions = [] }: EvictionStatus, wanted: string): boolean {
  return conditions.find(({ type }) => type === wanted)?.status === 'True';
}

function isTakenBack(wanted: string, { conditions = [] }: EvictionStatus, old: EvictionStatus): boolean {
  const before = old.conditions?.find(({ type }) => type === wanted);
  if (before?.status !== 'True') return false;
  const after = conditions.find(({ type }) => type === wanted);
  return after === undefined || after.status === 'False' || after.reason !== before.reason;
}

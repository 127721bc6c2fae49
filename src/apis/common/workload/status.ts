// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#Validate*Status
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';

type Counts<T> = { readonly [K in keyof T]: T[K] };

const statusPath = FieldPath.root('status');

/** None of these may be negative, in this order. */
export function validateCounts<T extends object>(status: Counts<T> | undefined, ...fields: readonly (keyof T & string)[]): FieldError[] {
  return fields.flatMap((field) => validateNonNegative(status?.[field] as number | undefined, statusPath.child(field)));
}

/** A part cannot be more than the whole. */
export function validateAtMost<T extends object>(
  status: Counts<T> | undefined,
  part: keyof T & string,
  whole: keyof T & string,
  detail = `cannot be greater than status.${whole}`,
): FieldError[] {
  const count = (status?.[part] ?? 0) as number;
  return count > ((status?.[whole] ?? 0) as number) ? [invalid(statusPath.child(part), count, detail)] : [];
}

interface Collides {
  readonly collisionCount?: number;
}

export function validateCollisions(status: Collides | undefined, old: Collides | undefined): FieldError[] {
  const before = old?.collisionCount;
  const now = status?.collisionCount;
  if (before === undefined || (now !== undefined && now >= before)) return [];
  return [invalid(statusPath.child('collisionCount'), now ?? 0, 'cannot be decremented')];
}

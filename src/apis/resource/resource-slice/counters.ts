// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateCounterSet, #validateDeviceCounterConsumption
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { tooMany } from '../../../machinery/field.ts';
import type { Counter } from '../../../schema/types/resource-v1.ts';

const maxCounters = 32;

/** How many there are; names are for the type's declared rules, and every quantity is right. */
export function validateCounters(counters: Readonly<Record<string, Counter>> = {}, path: FieldPath): FieldError[] {
  const count = Object.keys(counters).length;
  return count > maxCounters ? [tooMany(path, count, maxCounters)] : [];
}

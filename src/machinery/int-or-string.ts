// Upstream: k8s.io/apimachinery/pkg/util/intstr/intstr.go
import { asInt64 } from './go-number.ts';

export type IntOrString = number | string;

/** Its number: that of a string is what it reads as, or 0. */
export function intValue(value: IntOrString): number {
  return typeof value === 'number' ? value : Number(asInt64(value) ?? 0n);
}

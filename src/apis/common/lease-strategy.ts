// Upstream: k8s.io/kubernetes/pkg/apis/coordination/validation/validation.go#ValidateCoordinatedLeaseStrategy
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { invalid, notSupported, typedValue } from '../../machinery/field.ts';
import { checkQualifiedName } from '../../machinery/names.ts';

const strategies: readonly string[] = ['OldestEmulationVersion'];

/** A strategy of Kubernetes, or one under another domain. */
export function validateLeaseStrategy(strategy: string, path: FieldPath): FieldError[] {
  // the field is named twice, as in upstream
  const at = path.child('strategy');
  if (strategy.includes('/')) return checkQualifiedName(strategy).map((problem) => invalid(at, typedValue(strategy), problem));
  return strategies.includes(strategy) ? [] : [notSupported(at, typedValue(strategy), strategies)];
}

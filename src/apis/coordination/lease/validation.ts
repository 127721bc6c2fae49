// Upstream: pkg/apis/coordination/validation/validation.go (ValidateLease)
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, notSupported, typedValue } from '../../../machinery/field.ts';
import { isQualifiedName } from '../../../machinery/names.ts';
import type { Lease } from '../../../schema/types/coordination-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

const specPath = FieldPath.root('spec');
const strategies: readonly string[] = ['OldestEmulationVersion'];

export function validate({ spec }: Lease & KubeObject): FieldError[] {
  const { leaseDurationSeconds = 1, leaseTransitions = 0, strategy, preferredHolder } = spec;
  const errors: FieldError[] = [];
  if (leaseDurationSeconds <= 0) {
    errors.push(invalid(specPath.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions < 0) {
    errors.push(invalid(specPath.child('leaseTransitions'), leaseTransitions, 'must be greater than or equal to 0'));
  }
  if (strategy !== undefined) errors.push(...validateStrategy(strategy));
  if (preferredHolder && !strategy) {
    errors.push(forbidden(specPath.child('preferredHolder'), 'may only be specified if `strategy` is defined'));
  }
  return errors;
}

/** A strategy of ours, or somebody's under their own domain. */
function validateStrategy(strategy: string): FieldError[] {
  // the field is named twice, as in the original
  const path = specPath.child('strategy', 'strategy');
  if (strategy.includes('/')) return isQualifiedName(strategy).map((problem) => invalid(path, typedValue(strategy), problem));
  return strategies.includes(strategy) ? [] : [notSupported(path, typedValue(strategy), strategies)];
}

// Upstream: k8s.io/kubernetes/pkg/apis/coordination/validation/validation.go#ValidateLease
import { append } from '../../../machinery/append.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid } from '../../../machinery/field.ts';
import type { Lease } from '../../../schema/types/coordination-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateLeaseStrategy } from '../../common/lease-strategy.ts';

const specPath = FieldPath.root('spec');

export function validate({ spec }: Lease & KubeObject): FieldError[] {
  const { leaseDurationSeconds = 1, leaseTransitions = 0, strategy, preferredHolder } = spec;
  const errors: FieldError[] = [];
  if (leaseDurationSeconds <= 0) {
    errors.push(invalid(specPath.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions < 0) {
    errors.push(invalid(specPath.child('leaseTransitions'), leaseTransitions, 'must be greater than or equal to 0'));
  }
  if (strategy !== undefined) append(errors, validateLeaseStrategy(strategy, specPath.child('strategy')));
  if (preferredHolder && !strategy) {
    errors.push(forbidden(specPath.child('preferredHolder'), 'may only be specified if `strategy` is defined'));
  }
  return errors;
}

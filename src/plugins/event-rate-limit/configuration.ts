// Upstream: k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/{config.go,apis/eventratelimit/validation/validation.go}
import { FieldPath, aggregateMessage, invalid, notSupported } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import { requireKind } from '../../server/object/configuration-kind.ts';

export const limitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

export interface Limit {
  readonly type: (typeof limitTypes)[number];
  readonly qps: number;
  readonly burst: number;
  readonly cacheSize?: number;
}

const limitsPath = FieldPath.root('limits');

/** The plugin's part of --admission-control-config-file, without which it cannot run. */
export function readConfiguration(configuration: unknown): readonly Limit[] {
  if (configuration !== undefined) requireKind(configuration, 'Configuration', ['eventratelimit.admission.k8s.io/v1alpha1']);
  const { limits } = (configuration ?? {}) as { limits?: readonly Limit[] };
  const errors = limits === undefined || limits.length === 0 ? [empty(limits)] : limits.flatMap(validateLimit);
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  return limits as readonly Limit[];
}

function empty(limits: readonly Limit[] | undefined): FieldError {
  return invalid(limitsPath, limits ?? null, 'must not be empty');
}

function validateLimit({ type, qps = 0, burst = 0, cacheSize = 0 }: Limit, index: number): FieldError[] {
  const at = limitsPath.index(index);
  const errors: FieldError[] = [];
  if (!limitTypes.includes(type)) errors.push(notSupported(at.child('type'), type, limitTypes));
  if (burst <= 0) errors.push(invalid(at.child('burst'), burst, 'must be positive'));
  if (qps <= 0) errors.push(invalid(at.child('qps'), qps, 'must be positive'));
  if (type !== 'Server' && cacheSize < 0) errors.push(invalid(at.child('cacheSize'), cacheSize, 'must not be negative'));
  return errors;
}

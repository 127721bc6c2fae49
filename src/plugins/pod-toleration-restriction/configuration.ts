// Upstream: k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/{config.go,apis/podtolerationrestriction/validation}
import { validateTolerations } from '../../apis/common/pod-spec/tolerations.ts';
import { FieldPath } from '../../machinery/field.ts';
import type { Toleration } from '../../schema/types/core-v1.ts';
import { requireKind } from '../../server/object/configuration-kind.ts';

export interface TolerationConfiguration {
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

const path = FieldPath.root('podtolerationrestriction');

/** The plugin's part of --admission-control-config-file: for namespaces that say nothing themselves. */
export function readConfiguration(configuration: unknown): TolerationConfiguration {
  if (configuration === undefined) return { default: [], whitelist: [] };
  requireKind(configuration, 'Configuration', ['podtolerationrestriction.admission.k8s.io/v1alpha1']);
  const given = configuration as Partial<TolerationConfiguration>;
  const read = { default: given.default ?? [], whitelist: given.whitelist ?? [] };
  const errors = (['default', 'whitelist'] as const).flatMap((field) =>
    validateTolerations(read[field], path.child(field), { allowTaintTolerationComparisonOperators: false }),
  );
  if (errors.length > 0) throw new Error(`invalid config: [${errors.map(String).join(' ')}]`);
  return read;
}

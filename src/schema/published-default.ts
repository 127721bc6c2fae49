// Upstream: kube-openapi/pkg/generators/openapi.go (generateDefault)
import type { Field, ScalarName } from '../machinery/type-model.ts';

const zeros: Partial<Record<ScalarName, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  float32: 0,
  float64: 0,
};

/**
 * The default that OpenAPI documents show for a field: the declared one, or the zero value of a field that is always written. Types
 * that write themselves have no zero to show.
 */
export function publishedDefault(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  if (field.pointer) return undefined;
  if (field.type.kind === 'struct') return {};
  return field.type.kind === 'scalar' && field.omit === 'never' ? zeros[field.type.scalar] : undefined;
}

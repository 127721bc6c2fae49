// Upstream: k8s.io/kube-openapi/pkg/generators/openapi.go#generateDefault
import { plainZeros } from '../machinery/plain-zeros.ts';
import type { Field } from '../machinery/type-model.ts';

/**
 * The default that OpenAPI documents show for a field: the declared one, or the zero value of a field that is always written. Types
 * that write themselves have no zero to show.
 */
export function publishedDefault(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  if (field.pointer) return undefined;
  if (field.type.kind === 'struct') return {};
  return field.type.kind === 'scalar' && field.omit === 'never' ? plainZeros[field.type.scalar] : undefined;
}

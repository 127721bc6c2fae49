// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#validateProvisioner, #validateParameters
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { invalid, required, tooLong } from '../../machinery/field.ts';
import { checkQualifiedName } from '../../machinery/names.ts';

const maxBytes = 256 * 1024;
const maxCount = 512;

/** Who provides the storage of a class, whatever the case of its name. */
export function validateProvisioner(provisioner: string, path: FieldPath): FieldError[] {
  if (provisioner === '') return [required(path, '')];
  const name = provisioner.toLowerCase();
  return checkQualifiedName(name).map((problem) => invalid(path, name, problem).withOrigin('format=qualified-name'));
}

export function validateParameters(
  parameters: Readonly<Record<string, string>>,
  path: FieldPath,
  { allowNone }: { readonly allowNone: boolean },
): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > maxCount) return [tooLong(path, maxCount)];
  const errors = entries.flatMap(([key]) => (key === '' ? [invalid(path, key, 'field can not be empty.')] : []));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > maxBytes) errors.push(tooLong(path, maxBytes));
  if (!allowNone && entries.length === 0) errors.push(required(path, 'must contain at least one key/value pair'));
  return errors;
}

// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateDeviceConfiguration, #validateRawExtension
import { writeJson } from '../../../machinery/codec/json/write.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, required, tooLong } from '../../../machinery/field.ts';
import type { DeviceConfiguration } from '../../../schema/types/resource-v1.ts';

const maxParametersLength = 10 * 1024;

/** The driver's name is for the type's declared rules. */
export function validateConfiguration({ opaque }: DeviceConfiguration, path: FieldPath, stored = false): FieldError[] {
  const at = path.child('opaque');
  return opaque === undefined ? [required(at, '')] : validateRawObject(opaque.parameters, at.child('parameters'), stored);
}

/** An object, not too large; what is stored may be larger, for the limit came late. */
export function validateRawObject(value: unknown, path: FieldPath, stored = false): FieldError[] {
  if (value === undefined || value === null) return [required(path, '')];
  if (!stored && isLong(value)) return [tooLong(path, maxParametersLength)];
  return typeof value === 'object' && !Array.isArray(value) ? [] : [invalid(path, '<value omitted>', 'must be a valid JSON object')];
}

/** Each value is at least one byte: what has more of them than bytes are allowed need not be written to know. */
function isLong(value: unknown): boolean {
  let left = maxParametersLength;
  const exceeds = (item: unknown): boolean => {
    if (--left < 0) return true;
    if (typeof item !== 'object') return false;
    if (Array.isArray(item)) return item.some(exceeds);
    // A list of all values of a large object would cost more than the rest.
    for (const key in item) if (exceeds((item as Record<string, unknown>)[key])) return true;
    return false;
  };
  return exceeds(value) || Buffer.byteLength(writeJson(value)) > maxParametersLength;
}

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
  if (!stored && Buffer.byteLength(writeJson(value)) > maxParametersLength) return [tooLong(path, maxParametersLength)];
  return typeof value === 'object' && !Array.isArray(value) ? [] : [invalid(path, '<value omitted>', 'must be a valid JSON object')];
}

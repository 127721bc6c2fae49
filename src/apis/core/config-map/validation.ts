// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateConfigMap
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, tooLong } from '../../../machinery/field.ts';
import { checkConfigMapKey } from '../../../machinery/names.ts';
import type { ConfigMap } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { keyedDataMaxBytes } from '../../common/keyed-data.ts';

type ConfigMapObject = ConfigMap & KubeObject;

export function validate({ data = {}, binaryData = {} }: ConfigMapObject): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(data)) {
    const at = FieldPath.root('data').key(key);
    for (const problem of checkConfigMapKey(key)) errors.push(invalid(at, key, problem));
    if (Object.hasOwn(binaryData, key)) errors.push(invalid(at, key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(data[key] as string);
  }
  for (const key of Object.keys(binaryData)) {
    const at = FieldPath.root('binaryData').key(key);
    for (const problem of checkConfigMapKey(key)) errors.push(invalid(at, key, problem));
    size += Buffer.byteLength(binaryData[key] ?? '', 'base64');
  }
  // No field name: the whole object is too long.
  if (size > keyedDataMaxBytes) errors.push(tooLong(FieldPath.root(''), keyedDataMaxBytes));
  return errors;
}

export function validateUpdate(configMap: ConfigMapObject, old: ConfigMapObject): FieldError[] {
  const errors: FieldError[] = [];
  if (old.immutable === true) {
    const locked = (field: string): FieldError => forbidden(FieldPath.root(field), 'field is immutable when `immutable` is set');
    if (configMap.immutable !== true) errors.push(locked('immutable'));
    if (!deepEqual(configMap.data, old.data)) errors.push(locked('data'));
    if (!deepEqual(configMap.binaryData, old.binaryData)) errors.push(locked('binaryData'));
  }
  return [...errors, ...validateMetadata(configMap.metadata, true), ...validate(configMap)];
}

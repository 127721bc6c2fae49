// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresource/{etcd,validator}.go
import type { FieldError } from '../../machinery/field.ts';
import { FieldPath, invalid } from '../../machinery/field.ts';
import type { CustomResourceSubresourceScale } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject, ScaleDefinition } from '../../server/registry/definition.ts';
import type { JsonObject } from '../schema/node.ts';
import { isJsonObject } from '../schema/node.ts';
import { described } from '../schema/go-value.ts';

/** `.spec.replicas` as names; scale paths know nothing but dots. */
export function pathNames(path: string): string[] {
  return (path.startsWith('.') ? path.slice(1) : path).split('.');
}

type Found = { readonly value: unknown } | { readonly error: string } | undefined;

/** The value at a path; undefined when there is none. */
function nested(object: KubeObject, path: string, expected: 'int64' | 'string'): Found {
  const names = pathNames(path);
  let value: unknown = object;
  for (const [i, name] of names.entries()) {
    if (!isJsonObject(value)) {
      return { error: `.${names.slice(0, i).join('.')} accessor error: ${described(value)}, expected map[string]interface{}` };
    }
    if (!Object.hasOwn(value, name)) return undefined;
    value = value[name];
    if (value === null) return undefined;
  }
  const isExpected = expected === 'int64' ? Number.isInteger(value) || typeof value === 'bigint' : typeof value === 'string';
  return isExpected ? { value } : { error: `.${names.join('.')} accessor error: ${described(value)}, expected ${expected}` };
}

function count(object: KubeObject, path: string): number {
  const found = nested(object, path, 'int64');
  return found !== undefined && 'value' in found ? Number(found.value) : 0;
}

export function scaleDefinition({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath,
}: CustomResourceSubresourceScale): ScaleDefinition {
  const names = pathNames(specReplicasPath);
  return {
    replicasPath: names,
    isUnset: (object) => nested(object, specReplicasPath, 'int64') === undefined,
    replicas: (object) => count(object, specReplicasPath),
    setReplicas(object, replicas) {
      let target: JsonObject = object;
      for (const name of names.slice(0, -1)) target = (target[name] ??= {}) as JsonObject;
      target[names.at(-1) as string] = replicas;
    },
    statusReplicas: (object) => count(object, statusReplicasPath),
    selector(object) {
      const found = labelSelectorPath ? nested(object, labelSelectorPath, 'string') : undefined;
      return found !== undefined && 'value' in found ? String(found.value) : '';
    },
  };
}

export function validateScaleSpec(object: KubeObject, { specReplicasPath }: CustomResourceSubresourceScale): FieldError[] {
  return validateCount(object, specReplicasPath);
}

export function validateScaleStatus(object: KubeObject, scale: CustomResourceSubresourceScale): FieldError[] {
  const errors = validateCount(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  const selector = labelSelectorPath === undefined ? undefined : nested(object, labelSelectorPath, 'string');
  if (selector !== undefined && 'error' in selector) errors.push(invalid(FieldPath.root(labelSelectorPath as string), '', selector.error));
  return errors;
}

function validateCount(object: KubeObject, path: string): FieldError[] {
  const at = FieldPath.root(path);
  const found = nested(object, path, 'int64');
  if (found === undefined) return [];
  if ('error' in found) return [invalid(at, 0, found.error)];
  const value = Number(found.value);
  if (value < 0) return [invalid(at, value, 'should be a non-negative integer')];
  return value > 2147483647 ? [invalid(at, value, 'should be less than or equal to 2147483647')] : [];
}

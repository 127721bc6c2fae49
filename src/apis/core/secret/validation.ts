// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateSecret
import { append } from '../../../machinery/append.ts';
import { checkSyntax } from '../../../machinery/codec/json/syntax.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, required, tooLong, typedValue } from '../../../machinery/field.ts';
import { checkConfigMapKey } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { jsonTypeName } from '../../../patch/json/json-type-name.ts';
import type { Secret } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { keyedDataMaxBytes } from '../../common/keyed-data.ts';

type SecretObject = Secret & KubeObject;

export const typeTls = 'kubernetes.io/tls';
const serviceAccountName = 'kubernetes.io/service-account.name';
const dataPath = FieldPath.root('data');

/** What a type of secret must hold; a type that is not here may hold anything. */
const rulesByType: Readonly<Record<string, (secret: SecretObject) => FieldError[]>> = {
  'kubernetes.io/service-account-token': ({ metadata }) =>
    metadata.annotations?.[serviceAccountName] ? [] : [required(FieldPath.root('metadata', 'annotations').key(serviceAccountName), '')],
  'kubernetes.io/dockercfg': ({ data }) => jsonAt('.dockercfg', data),
  'kubernetes.io/dockerconfigjson': ({ data }) => jsonAt('.dockerconfigjson', data),
  'kubernetes.io/basic-auth': ({ data }) => (has(data, 'username') || has(data, 'password') ? [] : missing('username', 'password')),
  'kubernetes.io/ssh-auth': ({ data }) => (data?.['ssh-privatekey'] ? [] : missing('ssh-privatekey')),
  [typeTls]: ({ data }) => missing(...['tls.crt', 'tls.key'].filter((key) => !has(data, key))),
};

export function validate(secret: SecretObject): FieldError[] {
  const { data = {}, type = '' } = secret;
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(data)) {
    for (const problem of checkConfigMapKey(key)) errors.push(invalid(dataPath.key(key), key, problem));
    size += Buffer.byteLength(data[key] ?? '', 'base64');
  }
  if (size > keyedDataMaxBytes) errors.push(tooLong(dataPath, keyedDataMaxBytes));
  if (Object.hasOwn(rulesByType, type)) append(errors, (rulesByType[type] as (secret: SecretObject) => FieldError[])(secret));
  return errors;
}

export function validateUpdate(secret: SecretObject, old: SecretObject): FieldError[] {
  const errors: FieldError[] = [];
  if (secret.type !== old.type) errors.push(invalid(FieldPath.root('type'), typedValue(secret.type ?? ''), fieldImmutableMessage));
  if (old.immutable === true) {
    const locked = (field: string): FieldError => forbidden(FieldPath.root(field), 'field is immutable when `immutable` is set');
    if (secret.immutable !== true) errors.push(locked('immutable'));
    if (!deepEqual(secret.data, old.data)) errors.push(locked('data'));
  }
  return [...errors, ...validateMetadata(secret.metadata, true), ...validate(secret)];
}

function has(data: Secret['data'], key: string): boolean {
  return data !== undefined && Object.hasOwn(data, key);
}

function missing(...keys: readonly string[]): FieldError[] {
  return keys.map((key) => required(dataPath.key(key), ''));
}

/** A value that must be a JSON object; what it holds is never repeated. */
function jsonAt(key: string, data: Secret['data']): FieldError[] {
  if (!has(data, key)) return missing(key);
  const problem = notAnObject(Buffer.from(data?.[key] ?? '', 'base64'));
  return problem === undefined ? [] : [invalid(dataPath.key(key), '<secret contents redacted>', problem)];
}

function notAnObject(text: Buffer): string | undefined {
  try {
    checkSyntax(text);
  } catch (error) {
    return (error as Error).message;
  }
  const value = JSON.parse(text.toString()) as unknown;
  const object = typeof value === 'object' && !Array.isArray(value);
  return object ? undefined : `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`;
}

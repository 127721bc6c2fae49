// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/rest.go#getRequestOptions, k8s.io/apimachinery/pkg/runtime/conversion.go
import type { Field, Type } from '../../machinery/type-model.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';

/** What a request to connect asks for (PodExecOptions, ServiceProxyOptions), read from its query: what admission sees of it. No metadata. */
export function connectOptions(
  { type, kind, apiVersion }: Pick<VersionedKind, 'type' | 'kind' | 'apiVersion'>,
  query: URLSearchParams,
  path: string,
): KubeObject {
  const options: Record<string, unknown> = { kind, apiVersion };
  for (const field of type.fields) {
    if (field.name === 'kind' || field.name === 'apiVersion') continue;
    const given = field.name === 'path' && !query.has('path') && path !== '' ? [path] : query.getAll(field.name);
    const value = read(field.type, given);
    if (!isEmpty(value)) options[field.name] = value;
    else if (field.omit === 'never') options[field.name] = emptyValue(field);
  }
  return options as KubeObject;
}

function read(type: Type, given: readonly string[]): unknown {
  if (type.kind === 'list') return given.map((text) => read(type.element, [text]));
  const [text] = given;
  if (text === undefined || type.kind !== 'scalar') return undefined;
  if (type.scalar === 'bool') return text !== '0' && text.toLowerCase() !== 'false';
  return type.scalar === 'int32' || type.scalar === 'int64' ? Number(text) : text;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

function emptyValue({ type }: Field): unknown {
  if (type.kind !== 'scalar') return null;
  return type.scalar === 'bool' ? false : type.scalar === 'string' ? '' : 0;
}

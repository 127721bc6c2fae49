// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta/{algorithm,coerce,validation}.go
import { stringify } from '../../machinery/codec/json/write.ts';
import { append } from '../../machinery/append.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import type { JsonCodec } from '../../machinery/codec/json/codec.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { invalid, required } from '../../machinery/field.ts';
import { parseGroupVersion, unexpectedGroupVersionMessage } from '../../machinery/group-version.ts';
import { checkDns1035Label, nameIsPathSegment } from '../../machinery/names.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { validateObjectMeta } from '../../machinery/object-meta-validation.ts';
import type { StructType } from '../../machinery/type-model.ts';
import type { JsonObject, SchemaNode } from './node.ts';
import { isJsonObject } from './node.ts';
import { childPath, indexPath, keyPath } from './paths.ts';

export interface ReadMeta {
  readonly metadata: ObjectMeta;
  /** paths of fields that metadata does not have, only with `strict` */
  readonly unknown: readonly string[];
}

interface CoerceOptions {
  readonly strict: boolean;
  /** what is malformed vanishes instead of being an error: for objects that were stored before there was a check */
  readonly dropInvalid: boolean;
}

/** Metadata of custom and embedded resources, which has the type that all objects share. */
export class ObjectMetas {
  readonly #json: JsonCodec;
  readonly #type: StructType;

  constructor(json: JsonCodec, type: StructType) {
    this.#json = json;
    this.#type = type;
  }

  /** Metadata in canonical form. Throws DecodeError when it is malformed. */
  read(metadata: unknown, strict: boolean, prefix = 'metadata'): ReadMeta {
    const managers = isJsonObject(metadata) && isCanonical(metadata['managedFields']) ? metadata['managedFields'] : undefined;
    const rest = managers === undefined ? metadata : { ...(metadata as JsonObject), managedFields: undefined };
    const { object, strictErrors } = this.#json.decode(stringify(rest), this.#type, strict ? 'strict' : 'ignore');
    if (managers !== undefined) object['managedFields'] = managers;
    const unknown = strictErrors.flatMap((error) => {
      const path = /^unknown field "(.*)"$/s.exec(error)?.[1];
      return path === undefined ? [] : [`${prefix}.${path}`];
    });
    return { metadata: object as ObjectMeta, unknown };
  }

  /** The same, leaving out single fields that are malformed. */
  readTolerantly(metadata: unknown): ObjectMeta {
    try {
      return this.read(metadata, false).metadata;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return isJsonObject(metadata) ? this.#fieldByField(metadata) : {};
    }
  }

  #fieldByField(metadata: JsonObject): ObjectMeta {
    const kept: JsonObject = {};
    for (const [name, value] of Object.entries(metadata)) {
      try {
        Object.assign(kept, this.read({ [name]: value }, false).metadata);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
    return this.read(kept, false).metadata;
  }

  /** Brings apiVersion, kind and metadata of embedded resources into form, in place; returns unknown fields, or the first error. */
  coerce(path: FieldPath | undefined, value: unknown, node: SchemaNode | undefined, options: CoerceOptions): string[] | FieldError {
    const unknown: string[] = [];
    const error = this.#coerce(path, value, node, options, unknown);
    return error ?? unknown.sort();
  }

  #coerce(
    path: FieldPath | undefined,
    value: unknown,
    node: SchemaNode | undefined,
    options: CoerceOptions,
    unknown: string[],
  ): FieldError | undefined {
    if (node === undefined || !node.hasEmbeddedResources) return undefined;
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) {
        const error = this.#coerce(indexPath(path, i), item, node.items, options, unknown);
        if (error !== undefined) return error;
      }
      return undefined;
    }
    if (!isJsonObject(value)) return undefined;
    for (const key of Object.keys(value)) {
      const error = node.isEmbeddedResource ? this.#coerceMetaField(path, value, key, options, unknown) : undefined;
      if (error !== undefined) return error;
      const property = node.properties.get(key);
      const nested =
        property !== undefined
          ? this.#coerce(childPath(path, key), value[key], property, options, unknown)
          : this.#coerce(keyPath(path, key), value[key], node.additional, options, unknown);
      if (nested !== undefined) return nested;
    }
    return undefined;
  }

  #coerceMetaField(
    path: FieldPath | undefined,
    object: JsonObject,
    key: string,
    { strict, dropInvalid }: CoerceOptions,
    unknown: string[],
  ): FieldError | undefined {
    if (key === 'apiVersion' || key === 'kind') {
      if (typeof object[key] === 'string') return undefined;
      if (!dropInvalid) return invalid(childPath(path, key), object[key], 'must be a string');
      delete object[key];
      return undefined;
    }
    if (key !== 'metadata') return undefined;
    const at = childPath(path, key);
    if (dropInvalid) {
      if (isJsonObject(object[key])) object[key] = this.readTolerantly(object[key]);
      return undefined;
    }
    try {
      const read = this.read(object[key], strict, String(at));
      append(unknown, read.unknown);
      object[key] = read.metadata;
      return undefined;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return invalid(at, object[key], error.message);
    }
  }

  /** Rules for apiVersion, kind and metadata of embedded resources. */
  validate(path: FieldPath | undefined, value: unknown, node: SchemaNode | undefined): FieldError[] {
    if (node === undefined || !node.hasEmbeddedResources) return [];
    if (Array.isArray(value)) return value.flatMap((item, i) => this.validate(indexPath(path, i), item, node.items));
    if (!isJsonObject(value)) return [];
    const errors = node.isEmbeddedResource ? this.#validateEmbedded(path, value) : [];
    for (const [key, item] of Object.entries(value)) {
      const property = node.properties.get(key);
      if (property !== undefined) append(errors, this.validate(childPath(path, key), item, property));
      else append(errors, this.validate(keyPath(path, key), item, node.additional));
    }
    return errors;
  }

  #validateEmbedded(path: FieldPath | undefined, object: JsonObject): FieldError[] {
    const { apiVersion, kind, metadata } = object;
    const errors: FieldError[] = [];
    const apiVersionPath = childPath(path, 'apiVersion');
    const kindPath = childPath(path, 'kind');
    if (apiVersion === undefined) errors.push(required(apiVersionPath, ''));
    if (kind === undefined) errors.push(required(kindPath, ''));
    if (apiVersion !== undefined) append(errors, validateApiVersion(apiVersion, apiVersionPath));
    if (kind !== undefined) append(errors, validateKind(kind, kindPath));
    if (metadata === undefined) return errors;
    const metadataPath = childPath(path, 'metadata');
    try {
      const { metadata: read } = this.read(metadata, false);
      // A name may be missing here, which the rules for metadata do not foresee.
      const named = read.name ? read : { ...read, name: 'fakename' };
      append(errors, validateObjectMeta(named, Boolean(read.namespace), nameIsPathSegment, metadataPath));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      errors.push(invalid(metadataPath, metadata, error.message));
    }
    return errors;
  }
}

const managerFields: ReadonlySet<string> = new Set(['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource']);
const canonicalTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Whether managers of fields are as they would be read: they are as large as all the rest, and nearly always are. */
function isCanonical(managers: unknown): managers is unknown[] {
  return Array.isArray(managers) && managers.length > 0 && managers.every(isCanonicalManager);
}

function isCanonicalManager(entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  for (const name of Object.keys(entry)) {
    const value = entry[name];
    if (name === 'fieldsV1') {
      if (!isJsonObject(value)) return false;
    } else if (typeof value !== 'string' || value === '' || !managerFields.has(name)) return false;
    else if (name === 'time' && (!canonicalTime.test(value) || Number.isNaN(Date.parse(value)))) return false;
  }
  return true;
}

function validateApiVersion(apiVersion: unknown, path: FieldPath): FieldError[] {
  if (typeof apiVersion !== 'string') return [invalid(path, apiVersion, 'must be a string')];
  if (apiVersion === '') return [invalid(path, apiVersion, 'must not be empty')];
  return parseGroupVersion(apiVersion) === undefined ? [invalid(path, apiVersion, unexpectedGroupVersionMessage(apiVersion))] : [];
}

function validateKind(kind: unknown, path: FieldPath): FieldError[] {
  if (typeof kind !== 'string') return [invalid(path, kind, 'must be a string')];
  if (kind === '') return [invalid(path, kind, 'must not be empty')];
  const faults = checkDns1035Label(kind.toLowerCase());
  return faults.length === 0 ? [] : [invalid(path, kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`)];
}

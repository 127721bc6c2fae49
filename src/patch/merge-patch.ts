// Upstream: gopkg.in/evanphx/json-patch.v4/merge.go, k8s.io/apiserver/pkg/endpoints/handlers/patch.go
import { badRequest } from '../machinery/errors.ts';
import { isObject, own, setOwn } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';
import { jsonTypeName } from './json/json-type-name.ts';
import { Opened } from './patched.ts';
import type { Patched } from './patched.ts';

/** Applies a JSON merge patch (RFC 7386). `typed` is how fieldValidation Warn and Strict read it: it has to be an object. */
export function applyMergePatch(document: JsonObject, patch: unknown, { typed }: { typed: boolean }): Patched {
  if (typed && patch !== null && !isObject(patch)) {
    throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`);
  }
  const opened = new Opened();
  if (isObject(patch)) return opened.patched(merge(opened, document, patch));
  // A list replaces the document, which then fails to decode as the object that it has to be.
  if (Array.isArray(patch)) return opened.patched(pruned(opened, patch));
  throw badRequest('Invalid JSON Patch');
}

function merge(opened: Opened, document: JsonObject, patch: JsonObject): JsonObject {
  const result = opened.own(document);
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) {
      delete result[name];
      continue;
    }
    const current = own(result, name);
    // Kept quirk: what takes the place of an object is taken as it stands, with the nulls in it.
    if (isObject(current)) setOwn(result, name, isObject(value) ? merge(opened, current, value) : value);
    else setOwn(result, name, pruned(opened, value));
  }
  return result;
}

/** A value that has nothing to be merged with: nulls in it remove nothing, and go. List elements stay. */
function pruned(opened: Opened, value: unknown): unknown {
  if (Array.isArray(value)) return opened.own(value.map((item) => pruned(opened, item)));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value)) if (value[name] !== null) setOwn(result, name, pruned(opened, value[name]));
  return opened.own(result);
}

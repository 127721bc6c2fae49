// Upstream: sigs.k8s.io/structured-merge-diff/v6/merge/update.go#prune
import type { Steps } from '../../base/steps.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { Managed, Manager } from './managed-fields.ts';
import { difference, intersection, isEmpty, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf, withNamedFields } from './field-set-of.ts';
import { removeFields } from './remove.ts';
import type { Shape } from './shape.ts';
import { asObject, ownedByVersion } from './updater.ts';
import { converting, convertingInSteps } from './versions.ts';
import type { Versions } from './versions.ts';

/**
 * Removes what an applier stated before and does not state any more, unless another manager owns it.
 * @param managed the managers after the apply, with what the applier states now
 */
export function* pruneFields(
  versions: Versions,
  merged: JsonObject,
  managed: Managed,
  applier: Manager,
  last: Manager | undefined,
): Steps<JsonObject> {
  if (last === undefined || isEmpty(last.fields)) return merged;
  // All that was stated is stated still: everything that would be taken out would be put back.
  if (last.apiVersion === applier.apiVersion && isEmpty(difference(last.fields, applier.fields))) return merged;
  const shape = versions.shapeOf(last.apiVersion);
  if (shape === undefined) return merged;
  const before = converting('failed to convert merged object to last applied version', () => versions.convert(merged, last.apiVersion));
  yield;
  const stated = withNamedFields(shape, last.fields);
  yield;
  const without = asObject(removeFields(shape, before, stated));
  yield;
  const kept = yield* convertingInSteps('failed add back owned items', keepOwned(versions, before, without, last.apiVersion, managed));
  yield;
  const dangling = converting('failed add back dangling items: failed to convert pruned object to last applied version', () =>
    versions.convert(kept, last.apiVersion),
  );
  const was = yield* namedFieldsOf(shape, before);
  const is = yield* namedFieldsOf(shape, dangling);
  const gone = difference(was, is);
  yield;
  const removed = intersection(gone, stated);
  yield;
  const pruned = asObject(removeFields(shape, before, removed));
  yield;
  return versions.convert(pruned, applier.apiVersion);
}

/** Each of them takes as long as it takes to read the object. */
function* namedFieldsOf(shape: Shape, object: JsonObject): Steps<FieldSet> {
  yield;
  const fields = fieldSetOf(shape, object);
  yield;
  return withNamedFields(shape, fields);
}

/** Puts back what has a manager. The version that was pruned comes first: conversion may need what is put back there. */
function* keepOwned(
  versions: Versions,
  merged: JsonObject,
  pruned: JsonObject,
  prunedVersion: string,
  managed: Managed,
): Steps<JsonObject> {
  const owned = ownedByVersion(managed);
  const first = owned.get(prunedVersion);
  owned.delete(prunedVersion);
  const rounds: [string, FieldSet][] = first === undefined ? [...owned] : [[prunedVersion, first], ...owned];
  let result = pruned;
  for (const [apiVersion, fields] of rounds) {
    const shape = versions.shapeOf(apiVersion);
    if (shape === undefined) continue;
    const at = `object at version ${apiVersion}`;
    const before = converting(`failed to convert merged ${at}`, () => versions.convert(merged, apiVersion));
    const after = converting(`failed to convert pruned ${at}`, () => versions.convert(result, apiVersion));
    const is = yield* namedFieldsOf(shape, after);
    const owns = withNamedFields(shape, fields);
    yield;
    const keep = union(is, owns);
    const was = yield* namedFieldsOf(shape, before);
    const gone = difference(was, keep);
    yield;
    result = asObject(removeFields(shape, before, gone));
  }
  return result;
}

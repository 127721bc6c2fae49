// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager/equality.go
import { equalValues } from './apply/equal.ts';
import { isObject } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';
import type { ManagedFieldsEntry } from './apply/managed-fields.ts';

/**
 * Gives an object back the times that its managers had, where those are all that a write would change, so that a write without effect
 * stores nothing.
 */
export function keepTimesOfNoop(live: JsonObject, next: JsonObject): void {
  const before = entriesOf(live);
  const after = entriesOf(next);
  if (before === undefined || after === undefined || before.length !== after.length || after.length === 0) return;
  if (after.every((entry, index) => entry.time === before[index]!.time)) return;
  if (!after.every((entry, index) => equalValues({ ...entry, time: null }, { ...before[index]!, time: null }))) return;
  if (!equalValues(withoutEntries(live), withoutEntries(next))) return;
  (next['metadata'] as JsonObject)['managedFields'] = before;
}

function entriesOf(object: JsonObject): readonly ManagedFieldsEntry[] | undefined {
  const metadata = object['metadata'];
  const entries = isObject(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(entries) ? (entries as ManagedFieldsEntry[]) : undefined;
}

function withoutEntries(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata };
}

// Upstream: k8s.io/apimachinery/pkg/util/managedfields/internal/capmanagers.go
import { leaf, union } from './apply/field-set.ts';
import type { FieldSet } from './apply/field-set.ts';
import { compareStrings } from './apply/path-element.ts';
import { compareTimes, managerIdentifier } from './apply/managed-fields.ts';
import type { Managed, Manager } from './apply/managed-fields.ts';

const maxUpdateManagers = 10;
const ancientChanges = 'ancient-changes';

/** Merges the oldest updaters of a version into one entry, until few enough are left. Appliers are never merged. */
export function capUpdateManagers(managed: Managed): void {
  const updaters = [...managed].filter(([, manager]) => manager.operation === 'Update');
  if (updaters.length <= maxUpdateManagers) return;
  updaters.sort(([a, left], [b, right]) => compareTimes(left.time, right.time) || compareStrings(a, b));

  const firstOfVersion = new Map<string, string>();
  // put together at the end: one by one, each would go through all that the ones before have left
  const parts = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const [identifier, manager] of updaters) {
    if (count <= maxUpdateManagers) break;
    const { apiVersion } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identifier);
      continue;
    }
    const bucket: Manager = {
      manager: ancientChanges,
      operation: 'Update',
      subresource: '',
      apiVersion,
      fields: manager.fields,
      time: manager.time,
    };
    const key = managerIdentifier(bucket);
    const merged = managed.get(key) ?? managed.get(first)!;
    if (!managed.has(key)) managed.delete(first);
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [merged.fields, manager.fields]);
    else known.push(manager.fields);
    managed.set(key, bucket);
    // Kept quirk: where the bucket itself is next in order, upstream drops it here.
    managed.delete(identifier);
    if (identifier === key) parts.delete(key);
    count--;
  }
  for (const [key, sets] of parts) managed.set(key, { ...managed.get(key)!, fields: unionOf(sets) });
}

function unionOf(sets: readonly FieldSet[]): FieldSet {
  if (sets.length < 2) return sets[0] ?? leaf;
  const half = sets.length >> 1;
  return union(unionOf(sets.slice(0, half)), unionOf(sets.slice(half)));
}

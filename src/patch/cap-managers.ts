// Upstream: apimachinery pkg/util/managedfields/internal/capmanagers.go
import { union } from './apply/field-set.ts';
import { compareStrings } from './apply/path-element.ts';
import { compareTimes, ownerIdentifier } from './apply/managed-fields.ts';
import type { Managed, Owner } from './apply/managed-fields.ts';

const MAX_UPDATE_MANAGERS = 10;
const ANCIENT_CHANGES = 'ancient-changes';

/** Merges the oldest updaters of a version into one entry, until few enough are left. Appliers are never merged. */
export function capUpdateManagers(managed: Managed): void {
  const updaters = [...managed].filter(([, owner]) => owner.operation === 'Update');
  if (updaters.length <= MAX_UPDATE_MANAGERS) return;
  updaters.sort(([a, left], [b, right]) => compareTimes(left.time, right.time) || compareStrings(a, b));

  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [identifier, owner] of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const { apiVersion } = owner;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identifier);
      continue;
    }
    const bucket: Owner = {
      manager: ANCIENT_CHANGES,
      operation: 'Update',
      subresource: '',
      apiVersion,
      fields: owner.fields,
      time: owner.time,
    };
    const key = ownerIdentifier(bucket);
    const merged = managed.get(key) ?? managed.get(first)!;
    if (!managed.has(key)) managed.delete(first);
    managed.set(key, { ...bucket, fields: union(owner.fields, merged.fields) });
    // Kept quirk: where the bucket itself is next in order, upstream drops it here.
    managed.delete(identifier);
    count--;
  }
}

// Upstream: k8s.io/apimachinery/pkg/util/managedfields/scalehandler.go
import { contains, difference, fieldSet, isEmpty } from './apply/field-set.ts';
import { decodeManagedFields, encodeManagedFields } from './apply/managed-fields.ts';
import type { Managed, ManagedFieldsEntry } from './apply/managed-fields.ts';

const scaleVersion = 'autoscaling/v1';
const replicasInScale = ['f:spec', 'f:replicas'];

/**
 * Where each version of a scalable resource keeps its replicas, as path elements. Undefined for a version that has no scale
 * subresource; versions that are missing are not known any more, and their managers are forgotten.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/** Managers of the replicas, as managers of a Scale. */
export function scaleManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  replicas: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const scale: Managed = new Map();
  for (const [identifier, manager] of decodeManagedFields(parent)) {
    const path = replicas.get(manager.apiVersion);
    if (path === undefined || !contains(manager.fields, path)) continue;
    scale.set(identifier, { ...manager, apiVersion: scaleVersion, fields: fieldSet(replicasInScale) });
  }
  return encodeManagedFields(scale);
}

/** Managers of the resource after a write through its Scale: a manager that lost the replicas there loses them here, one that won them has them. */
export function parentManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  scale: readonly ManagedFieldsEntry[] | undefined,
  replicas: ReplicasPaths,
  apiVersion: string,
): ManagedFieldsEntry[] | undefined {
  const before = decodeManagedFields(parent);
  const scaleOwners = decodeManagedFields(scale);
  const after: Managed = new Map();
  for (const [identifier, manager] of before) {
    if (!replicas.has(manager.apiVersion)) continue;
    const path = replicas.get(manager.apiVersion);
    if (path === undefined || !contains(manager.fields, path)) after.set(identifier, manager);
    else if (scaleOwners.delete(identifier)) after.set(identifier, manager);
    else {
      const fields = difference(manager.fields, fieldSet(path));
      if (!isEmpty(fields)) after.set(identifier, { ...manager, fields });
    }
  }
  const path = replicas.get(apiVersion);
  for (const [identifier, manager] of scaleOwners) {
    if (!contains(manager.fields, replicasInScale)) continue;
    const fields = fieldSet(path ?? []);
    // Kept quirk: the time is the one that the resource had for this manager, which is usually none.
    after.set(identifier, { ...manager, apiVersion, fields, time: before.get(identifier)?.time });
  }
  return encodeManagedFields(after);
}

// Upstream: apimachinery pkg/util/managedfields/scalehandler.go
import { contains, difference, fieldSet, isEmpty } from './apply/field-set.ts';
import { decodeManagedFields, encodeManagedFields } from './apply/managed-fields.ts';
import type { Managed, ManagedFieldsEntry } from './apply/managed-fields.ts';

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS_IN_SCALE = ['f:spec', 'f:replicas'];

/**
 * Where each version of a scalable resource keeps its replicas, as path elements. Undefined for a version that has no scale
 * subresource; versions that are missing are not known any more, and their owners are forgotten.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/** Owners of the replicas, as owners of a Scale. */
export function scaleManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  replicas: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const scale: Managed = new Map();
  for (const [identifier, owner] of decodeManagedFields(parent)) {
    const path = replicas.get(owner.apiVersion);
    if (path === undefined || !contains(owner.fields, path)) continue;
    scale.set(identifier, { ...owner, apiVersion: SCALE_VERSION, fields: fieldSet(REPLICAS_IN_SCALE) });
  }
  return encodeManagedFields(scale);
}

/** Owners of the resource after a write through its Scale: whoever lost the replicas there loses them here, whoever won them has them. */
export function parentManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  scale: readonly ManagedFieldsEntry[] | undefined,
  replicas: ReplicasPaths,
  apiVersion: string,
): ManagedFieldsEntry[] | undefined {
  const before = decodeManagedFields(parent);
  const scaleOwners = decodeManagedFields(scale);
  const after: Managed = new Map();
  for (const [identifier, owner] of before) {
    if (!replicas.has(owner.apiVersion)) continue;
    const path = replicas.get(owner.apiVersion);
    if (path === undefined || !contains(owner.fields, path)) after.set(identifier, owner);
    else if (scaleOwners.delete(identifier)) after.set(identifier, owner);
    else {
      const fields = difference(owner.fields, fieldSet(path));
      if (!isEmpty(fields)) after.set(identifier, { ...owner, fields });
    }
  }
  const path = replicas.get(apiVersion);
  for (const [identifier, owner] of scaleOwners) {
    if (!contains(owner.fields, REPLICAS_IN_SCALE)) continue;
    const fields = fieldSet(path ?? []);
    // Kept quirk: the time is the one that the resource had for this owner, which is usually none.
    after.set(identifier, { ...owner, apiVersion, fields, time: before.get(identifier)?.time });
  }
  return encodeManagedFields(after);
}

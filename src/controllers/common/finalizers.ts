// Upstream: k8s.io/kubernetes/pkg/controller/util/protectionutil
import type { KubeObject } from '../../server/registry/definition.ts';

/** Whether only this finalizer may keep an object that is being deleted. */
export function isDeletionCandidate({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && hasFinalizer(metadata, finalizer);
}

/** Whether an object that stays is without the finalizer. */
export function lacksFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp === undefined && !hasFinalizer(metadata, finalizer);
}

export function withFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  return { ...object, metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] } };
}

export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

function hasFinalizer({ finalizers = [] }: KubeObject['metadata'], finalizer: string): boolean {
  return finalizers.includes(finalizer);
}

import type { OwnerReference } from '../../machinery/object-meta.ts';

/** An object as a reference names it: references may be wrong about everything but the uid. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** empty for objects of the whole cluster */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export function describe({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

/** Whom a reference in an object of this namespace means; an owner of the whole cluster is found by leaving the namespace out. */
export function referred({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Identity {
  return { apiVersion, kind, namespace, name, uid };
}

/** Whether a reference calls an object what it is, its namespace aside. */
export function agrees(reference: OwnerReference, { apiVersion, kind, name, uid }: Identity): boolean {
  return reference.uid === uid && reference.name === name && reference.kind === kind && reference.apiVersion === apiVersion;
}

export function sameIdentity(a: Identity, b: Identity): boolean {
  return a.uid === b.uid && compareIdentities(a, b) === 0;
}

/** Kind and version weigh most, so that kinds stay together whatever their scope. */
export function compareIdentities(a: Identity, b: Identity): number {
  for (const part of ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const)
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  return 0;
}

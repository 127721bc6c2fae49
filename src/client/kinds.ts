import type { KubeObject } from '../machinery/kube-object.ts';
import type { BuiltInKinds } from '../schema/types/kinds.ts';

export type { BuiltInKinds } from '../schema/types/kinds.ts';
export type { KubeObject } from '../machinery/kube-object.ts';

/** `v1`, `apps/v1` and all others that Kubernetes has */
export type ApiVersion = keyof BuiltInKinds;

/** The type of a built-in kind: `Kind<'apps/v1', 'Deployment'>`. */
export type Kind<A extends ApiVersion, K extends keyof BuiltInKinds[A]> = BuiltInKinds[A][K];

/** An object as clients write it: what the server fills in may be left out. */
export type Draft<T> = T extends readonly (infer E)[] ? Draft<E>[] : T extends object ? { [K in keyof T]?: Draft<T[K]> } : T;

/** What an apiVersion and a kind stand for: the type of a built-in kind, or any object. */
export type ObjectOf<A, K> = A extends ApiVersion ? (K extends keyof BuiltInKinds[A] ? BuiltInKinds[A][K] : KubeObject) : KubeObject;

/** An object that says what it is, as manifests do; fields of built-in kinds have their types. */
export type Manifest<A extends string = string, K extends string = string> = { apiVersion: A; kind: K } & Draft<ObjectOf<A, K>>;

/** Enough to find an object. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

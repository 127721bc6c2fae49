/** A group version with the resources upstream serves in it, as discovery lists them. */
export interface ServedGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly servedByDefault: boolean;
  /** of its APIService; the order of `/apis` follows from them */
  readonly groupPriority?: number;
  readonly versionPriority?: number;
  readonly resources: readonly ServedResource[];
}

export interface ServedResource {
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources?: readonly ServedSubresource[];
  /** where it is stored below `/registry/`, and as what; absent when it is not stored */
  readonly storage?: { readonly prefix: string; readonly group: string; readonly version: string; readonly kind: string };
}

export interface ServedSubresource {
  readonly name: string;
  readonly kind: string;
  /** of the kind, where it is not that of the resource */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

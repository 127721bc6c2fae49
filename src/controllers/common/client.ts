import type { KubeObject } from '../../server/registry/definition.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

export interface WatchOptions {
  readonly resourceVersion: string;
  readonly accept?: string;
  readonly signal: AbortSignal;
}

export interface DeleteOptions {
  readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground';
  /** 0: at once; default: as long as the object says */
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What controllers know of an API server. Paths may have a query. Failures are thrown as ApiError. */
export interface Client {
  get(path: string, accept?: string): Promise<unknown>;
  create(path: string, object: KubeObject): Promise<KubeObject>;
  update(path: string, object: KubeObject): Promise<KubeObject>;
  /** JSON merge patch */
  patch(path: string, patch: unknown): Promise<void>;
  /** Server-side apply that takes over what others own. */
  apply(path: string, object: KubeObject, fieldManager: string): Promise<void>;
  /** One object, or all that a list of the same path would have. */
  delete(path: string, options: DeleteOptions): Promise<void>;
  /** Ends when the server ends it or the signal says so. */
  watch(path: string, options: WatchOptions): AsyncIterable<WatchEvent>;
}

/** Objects as nothing but their metadata. */
export const metadataForm = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const metadataListForm = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

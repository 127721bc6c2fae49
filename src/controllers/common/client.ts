import type { KubeObject } from '../../server/registry/definition.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

/** What controllers know of an API server. Failures are thrown as ApiError. */
export interface Client {
  get(path: string, accept?: string): Promise<unknown>;
  /** Server-side apply that takes over what others own. */
  apply(path: string, object: KubeObject, fieldManager: string): Promise<void>;
  /** Ends when the server ends it or the signal says so. */
  watch(path: string, resourceVersion: string, signal: AbortSignal): AsyncIterable<WatchEvent>;
}

/** Every object there is, and then every one that is created or changes, until the server ends the watch. */
export async function* follow<T extends KubeObject>(client: Client, path: string, signal: AbortSignal): AsyncGenerator<T> {
  const { metadata, items } = (await client.get(path)) as { metadata: { resourceVersion: string }; items: T[] };
  yield* items;
  for await (const { type, object } of client.watch(path, metadata.resourceVersion, signal)) {
    if (type === 'ERROR') return;
    if (type === 'ADDED' || type === 'MODIFIED') yield object as T;
  }
}

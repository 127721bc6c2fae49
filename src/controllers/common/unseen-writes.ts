import type { KubeObject } from '../../server/registry/definition.ts';

/** What a controller has written for its keys and has not come back from the watch yet. */
export class UnseenWrites {
  #seen = 0n;
  readonly #versions = new Map<string, bigint>();
  readonly #deleted = new Map<string, Set<string>>();

  has(key: string): boolean {
    return (this.#versions.get(key) ?? 0n) > this.#seen || (this.#deleted.get(key)?.size ?? 0) > 0;
  }

  wrote(key: string, { metadata }: KubeObject): void {
    const version = BigInt(metadata.resourceVersion ?? 0);
    if (version > (this.#versions.get(key) ?? 0n)) this.#versions.set(key, version);
  }

  deletes(key: string, uid: string): void {
    this.#deleted.set(key, (this.#deleted.get(key) ?? new Set()).add(uid));
  }

  saw({ metadata }: KubeObject): void {
    const version = BigInt(metadata.resourceVersion ?? 0);
    if (version > this.#seen) this.#seen = version;
  }

  sawDeleted(key: string | undefined, { metadata }: KubeObject): void {
    this.#deleted.get(key ?? '')?.delete(metadata.uid ?? '');
  }

  forget(key: string): void {
    this.#versions.delete(key);
    this.#deleted.delete(key);
  }
}

import type { Resource } from './resource.ts';

/** Resources of a server by group and plural name. They may come and go while it runs. */
export class ResourceTable implements Iterable<Resource> {
  readonly #resources = new Map<string, Resource>();

  find(group: string, plural: string): Resource | undefined {
    return this.#resources.get(`${group}/${plural}`);
  }

  add(resource: Resource): void {
    this.#resources.set(keyOf(resource), resource);
  }

  remove(resource: Resource): void {
    this.#resources.delete(keyOf(resource));
  }

  [Symbol.iterator](): Iterator<Resource> {
    return this.#resources.values();
  }
}

function keyOf({ names }: Resource): string {
  return `${names.group}/${names.plural}`;
}

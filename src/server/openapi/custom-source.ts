import type { CustomKind } from '../../openapi/custom-kind.ts';
import { documentJson } from '../../openapi/document-json.ts';
import { encodeV3 } from '../../openapi/gnostic/v3.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { DocumentSource } from './document-store.ts';

/** The documents of custom resources, which come and go; one for each of their group versions. */
export class CustomSource implements DocumentSource {
  readonly #builtIn: BuiltInSource;
  readonly #kinds = new Map<string, CustomKind>();
  readonly #changes = new Map<string, number>();
  #generation = 0;

  constructor(builtIn: BuiltInSource) {
    this.#builtIn = builtIn;
  }

  /** Publishes a kind in one version, or publishes it anew. */
  put(kind: CustomKind): void {
    this.#kinds.set(keyOf(kind), kind);
    this.#changed(kind);
  }

  remove(kind: Pick<CustomKind, 'group' | 'version' | 'plural'>): void {
    const known = this.#kinds.get(keyOf(kind));
    if (known === undefined) return;
    this.#kinds.delete(keyOf(kind));
    this.#changed(known);
  }

  /** Publishes what a group has now, all versions of all its kinds; what it had before is gone. */
  publishGroup(group: string, kinds: readonly CustomKind[]): void {
    for (const kind of this.kinds) if (kind.group === group) this.remove(kind);
    for (const kind of kinds) this.put(kind);
  }

  get kinds(): readonly CustomKind[] {
    return [...this.#kinds.values()];
  }

  get names(): readonly string[] {
    return [...new Set(this.kinds.map(nameOf))];
  }

  generationOf(name: string): number {
    return this.#changes.get(name) ?? 0;
  }

  /** of everything together */
  get generation(): number {
    return this.#generation;
  }

  async json(name: string): Promise<Buffer> {
    return Buffer.from(documentJson(await this.#document(name)));
  }

  async protobuf(name: string): Promise<Buffer> {
    return encodeV3(await this.#document(name));
  }

  #changed(kind: CustomKind): void {
    this.#changes.set(nameOf(kind), ++this.#generation);
  }

  async #document(name: string): Promise<object> {
    const documents = await this.#builtIn.documents();
    return documents.custom(this.kinds.filter((kind) => nameOf(kind) === name));
  }
}

function keyOf({ group, version, plural }: Pick<CustomKind, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`;
}

function nameOf({ group, version }: CustomKind): string {
  return `apis/${group}/${version}`;
}

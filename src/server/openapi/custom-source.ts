import type { CustomKind } from '../../openapi/custom-kind.ts';
import { documentJson } from '../../openapi/document-json.ts';
import { encodeV3 } from '../../openapi/gnostic/v3.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { DocumentSource } from './document-store.ts';

/** The documents of custom resources, which come and go; one for each of their group versions. */
export class CustomSource implements DocumentSource {
  readonly #builtIn: BuiltInSource;
  readonly #kinds = new Map<string, CustomKind>();
  #generation = 0;

  constructor(builtIn: BuiltInSource) {
    this.#builtIn = builtIn;
  }

  /** Publishes a kind in one version, or publishes it anew. */
  put(kind: CustomKind): void {
    this.#kinds.set(keyOf(kind), kind);
    this.#generation++;
  }

  remove(kind: Pick<CustomKind, 'group' | 'version' | 'plural'>): void {
    if (this.#kinds.delete(keyOf(kind))) this.#generation++;
  }

  get kinds(): readonly CustomKind[] {
    return [...this.#kinds.values()];
  }

  get names(): readonly string[] {
    return [...new Set(this.kinds.map(nameOf))];
  }

  get generation(): number {
    return this.#generation;
  }

  async json(name: string): Promise<Buffer> {
    return Buffer.from(documentJson(await this.#document(name)));
  }

  async protobuf(name: string): Promise<Buffer> {
    return encodeV3(await this.#document(name));
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
